// Tools that create, rename and delete folders of feeds. The server accepts empty and duplicate names; these tools
// refuse both.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { fieldsOf } from "../../api/read.ts"
import { integer, object, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { changeNews, readFeeds, readFolders, sendNews } from "./api.ts"

const folder = object({ id: integer(), name: text() })
const name = text(undefined, { least: 1 })

const createFolder = defineTool({
  name: "nc_news_create_folder",
  title: "Create a folder for feeds",
  description: "Creates a folder. Fails if the name is taken.",
  scopes: ["news.write"],
  effect: "add",
  input: object({ name }),
  output: folder,
  requests: 2,
  async run({ name }, nextcloud) {
    const activity = `creating the folder “${name}”`
    await assertFree(nextcloud, name, activity)
    const answer = await sendNews(nextcloud, { method: "POST", path: "/folders", json: { name }, activity })
    const [createdFolder] = fieldsOf(answer.json(), activity).objects("folders")
    if (createdFolder === undefined) throw nextcloudError("malformed", { activity, detail: "no folder in the answer" })
    return { id: createdFolder.number("id"), name: createdFolder.text("name") }
  },
})

const renameFolder = defineTool({
  name: "nc_news_rename_folder",
  title: "Rename a folder of feeds",
  description: "Renames a folder.",
  scopes: ["news.write"],
  effect: "set",
  input: object({ folder_id: integer(), name }),
  output: folder,
  requests: 2,
  async run({ folder_id, name }, nextcloud) {
    const activity = `renaming the folder ${folder_id}`
    await assertFree(nextcloud, name, activity, folder_id)
    await changeNews(nextcloud, {
      method: "PUT",
      path: `/folders/${folder_id}`,
      json: { name },
      activity,
      repeatable: true,
    })
    return { id: folder_id, name }
  },
})

async function assertFree(nextcloud: Nextcloud, name: string, activity: string, exceptId?: number): Promise<void> {
  const sameNamed = (await readFolders(nextcloud, activity)).find(
    (candidate) => candidate.text("name") === name && candidate.number("id") !== exceptId,
  )
  if (sameNamed === undefined) return
  const currentFolder = { id: sameNamed.number("id"), name }
  const advice = "Use the existing folder, or choose another name."
  throw nextcloudError("conflict", {
    activity,
    because: "there is already a folder with this name",
    advice,
    current: currentFolder,
  })
}

const deleteFolder = defineTool({
  name: "nc_news_delete_folder",
  title: "Delete a folder of feeds",
  description: "Deletes a folder. Feeds in it may be deleted too: move them out first to keep them.",
  scopes: ["news.write"],
  effect: "remove",
  input: object({ folder_id: integer() }),
  output: object({ deleted: text("Its name") }),
  requests: 3,
  notRecorded: "What happens to the feeds in it.",
  confirm: {
    requests: 2,
    verb: "Delete",
    async readLoss({ folder_id }, nextcloud) {
      const { name, feeds, guard } = await findFolder(nextcloud, folder_id, `reading the folder ${folder_id}`)
      const details =
        feeds.length === 0
          ? ["No feeds are in it."]
          : [`${feeds.length} ${feeds.length === 1 ? "feed" : "feeds"} in it: ${feeds.join(", ")}.`]
      return { what: `the folder “${name}”`, details, guard }
    },
  },
  async run({ folder_id }, nextcloud, { loss }) {
    const activity = `deleting the folder ${folder_id}`
    const { guard, ...folder } = await findFolder(nextcloud, folder_id, activity)
    if (loss?.guard !== undefined && loss.guard !== guard)
      throw nextcloudError("conflict", { activity, current: folder })
    await changeNews(nextcloud, { method: "DELETE", path: `/folders/${folder_id}`, activity })
    return { deleted: folder.name }
  },
})

async function findFolder(nextcloud: Nextcloud, id: number, activity: string) {
  const [folders, all] = await Promise.all([readFolders(nextcloud, activity), readFeeds(nextcloud, activity)])
  const folder = folders.find((candidate) => candidate.number("id") === id)
  if (folder === undefined) throw nextcloudError("not_found", { activity })
  const feedsInside = all.objects("feeds").filter((feed) => feed.maybeNumber("folderId") === id)
  const guard = feedsInside
    .map((feed) => feed.number("id"))
    .sort((a, b) => a - b)
    .join(",")
  return {
    id,
    name: folder.text("name"),
    feeds: feedsInside.map((feed) => feed.maybeText("title") ?? feed.text("url")),
    guard,
  }
}

export const folderTools = [createFolder, renameFolder, deleteFolder]
