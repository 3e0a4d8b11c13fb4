// Tools for system tags, which all users of the server share, and the files that have them.

import type { Capabilities } from "../../api/capabilities.ts"
import { davSend, filesPath, multistatus, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import { oc, textOf, toDocument, xml } from "../../xml.ts"
import { sendDavWrite } from "../files/dav-write.ts"
import { fileFields, fileOf, fileProps, find, normalizePath, path, readerOf } from "../files/item.ts"

const hasTags = (capabilities: Capabilities): boolean => capabilities.has("systemtags")

interface Tag {
  readonly id: number
  readonly name: string
  readonly assignable: boolean
}

const tagProps = xml`<oc:id/><oc:display-name/><oc:user-visible/><oc:can-assign/>`

/** Reads the tags of a collection: all tags, or those of one file. */
async function tagsAt(nextcloud: Nextcloud, collectionPath: string, activity: string): Promise<readonly Tag[]> {
  const [, ...items] = await propfind(nextcloud, { path: collectionPath, props: tagProps, depth: 1, activity })
  return items
    .filter(({ props }) => textOf(props, oc, "user-visible") !== "false")
    .map((item) => {
      const { need, number } = readerOf(item, activity)
      const assignable = textOf(item.props, oc, "can-assign") !== "false"
      return { id: number(oc, "id"), name: need(oc, "display-name"), assignable }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

const allTags = "/remote.php/dav/systemtags/"

async function relationsOf(nextcloud: Nextcloud, filePath: string, activity: string): Promise<string> {
  const { id } = fileOf(nextcloud, await find(nextcloud, filePath, activity), activity)
  return `/remote.php/dav/systemtags-relations/files/${id}`
}

const listTags = defineTool({
  name: "nc_files_list_tags",
  title: "List tags",
  description: "All tags of the server, or those of one file or folder.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path: optional(text("Only the tags of this file or folder")), ...paging }),
  output: object({ tags: list(object({ id: integer(), name: text(), assignable: flag() })), ...pageFields }),
  requestsNote: "One more with a path.",
  source: "documented",
  notRecorded: "Tags themselves: the recorded server had none.",
  async run({ path: filePath, ...page }, nextcloud) {
    const activity = filePath === undefined ? "listing the tags" : `listing the tags of ${normalizePath(filePath)}`
    const address = filePath === undefined ? allTags : await relationsOf(nextcloud, filePath, activity)
    const { items, facts } = toPage(await tagsAt(nextcloud, address, activity), page)
    return { tags: items, ...facts }
  },
})

const listTagged = defineTool({
  name: "nc_files_list_tagged_files",
  title: "List files with a tag",
  description: "The files and folders that have a tag.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ tag: text("Its name", { least: 1 }), ...paging }),
  output: object({ files: list(object(fileFields)), ...pageFields }),
  requests: 2,
  source: "documented",
  async run({ tag, ...page }, nextcloud) {
    const activity = `listing the files with the tag “${tag}”`
    const [match] = tagsNamed(await tagsAt(nextcloud, allTags, activity), [tag], activity)
    const rule = xml`<oc:filter-rules><oc:systemtag>${match?.id}</oc:systemtag></oc:filter-rules>`
    const body = toDocument("oc:filter-files", xml`<d:prop>${fileProps}</d:prop>${rule}`)
    const address = filesPath(await nextcloud.userId(), "/")
    const answer = await davSend(nextcloud, { method: "REPORT", path: address, body, activity })
    const all = multistatus(answer, activity).map((item) => fileOf(nextcloud, item, activity))
    const { items, facts } = toPage(all, page)
    return { files: items, ...facts }
  },
})

const createTag = defineTool({
  name: "nc_files_create_tag",
  title: "Create a tag",
  description: "Creates a tag that all users of the server can see and use.",
  scopes: ["files.write"],
  effect: "add",
  reach: "shown",
  input: object({ name: text(undefined, { least: 1, most: 64 }) }),
  output: object({ id: integer(), name: text() }),
  source: "documented",
  async run(input, nextcloud) {
    const name = input.name.trim()
    const activity = `creating the tag “${name}”`
    // Nextcloud would truncate a longer name, even inside a character.
    if (name === "" || Buffer.byteLength(name) > mostBytes)
      throw nextcloudError("invalid", {
        activity,
        because: `a name must have 1 to ${mostBytes} bytes; ü takes 2 bytes, 测 takes 3`,
      })
    const json = { name, userVisible: true, userAssignable: true, canAssign: true }
    const answer = await nextcloud.send({ method: "POST", path: allTags, json, activity, accept: [409] })
    if (answer.status === 409) {
      const [currentTag] = (await tagsAt(nextcloud, allTags, activity)).filter((tag) => hasName(tag, name))
      const hiddenTagAdvice = "A tag with this name exists, but this account cannot see it. Choose another name."
      const advice = currentTag === undefined ? hiddenTagAdvice : "The tag already exists: use it."
      throw nextcloudError("conflict", { status: 409, activity, advice, current: currentTag })
    }
    const id = Number(/\/(\d+)\/?$/.exec(answer.headers.get("content-location") ?? "")?.[1] ?? Number.NaN)
    if (Number.isNaN(id)) throw nextcloudError("malformed", { status: answer.status, activity, detail: "no id" })
    return { id, name }
  },
})

const mostBytes = 64

const names = optional(list(text(), "Names of tags"))

const setTags = defineTool({
  name: "nc_files_set_tags",
  title: "Tag a file",
  description: "Adds existing tags to a file or folder, and removes others.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ path, add: names, remove: names }),
  output: object({ path: text(), added: list(text()), removed: list(text()) }),
  requests: 3,
  requestsNote: "Two, and one for each tag.",
  source: "documented",
  async run({ path: filePath, add = [], remove = [] }, nextcloud) {
    const activity = `tagging ${normalizePath(filePath)}`
    if (add.length + remove.length === 0)
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const relations = await relationsOf(nextcloud, filePath, activity)
    const tags = await tagsAt(nextcloud, allTags, activity)
    const [addedTags, removedTags] = [tagsNamed(tags, add, activity), tagsNamed(tags, remove, activity)]
    // 409 (the file already has the tag) and, below, 404 (the file does not have the tag) are not errors.
    for (const { id } of addedTags)
      await sendDavWrite(nextcloud, {
        method: "PUT",
        path: `${relations}/${id}`,
        activity,
        accept: [409],
        repeatable: true,
      })
    for (const { id } of removedTags)
      await sendDavWrite(nextcloud, {
        method: "DELETE",
        path: `${relations}/${id}`,
        activity,
        accept: [404],
        repeatable: true,
      })
    return {
      path: normalizePath(filePath),
      added: addedTags.map(({ name }) => name),
      removed: removedTags.map(({ name }) => name),
    }
  },
})

const hasName = (tag: Tag, name: string): boolean =>
  tag.name.normalize("NFC").toLowerCase() === name.trim().normalize("NFC").toLowerCase()

/** The tags with these names. Throws for an unknown name. */
function tagsNamed(tags: readonly Tag[], names: readonly string[], activity: string): readonly Tag[] {
  return names.map((name) => {
    const match = tags.find((tag) => tag.name === name) ?? tags.find((tag) => hasName(tag, name))
    if (match !== undefined) return match
    const advice = "See nc_files_list_tags, or create it with nc_files_create_tag."
    throw nextcloudError("not_found", { activity, because: `there is no tag “${name}”`, advice })
  })
}

export const tagTools = withOfferTest(hasTags, [listTags, listTagged, createTag, setTags])
