// Tools that list feeds with their folders and errors, and add, rename, move and remove them.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { pageFields, paging, toExcerpt, toPage } from "../../page.ts"
import { flag, integer, list, nullable, object, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { defineTool } from "../../tool.ts"
import { changeNews, readFeeds, readFolders, sendNews } from "./api.ts"

const feed = object({
  id: integer(),
  title: text(),
  feed_url: text(),
  site_url: optional(text()),
  folder_id: optional(integer()),
  unread: integer(),
  added: optional(text()),
  errors: integer("Failed updates in a row"),
  last_error: optional(text()),
})

function toFeed(fields: Fields) {
  const site = fields.maybeText("link")
  const folder = fields.maybeNumber("folderId")
  const added = fields.maybeNumber("added")
  const error = fields.maybeText("lastUpdateError")
  return {
    id: fields.number("id"),
    title: fields.maybeText("title") ?? fields.text("url"),
    feed_url: fields.text("url"),
    ...(site === undefined ? {} : { site_url: site }),
    ...(folder === undefined || folder === 0 ? {} : { folder_id: folder }),
    unread: fields.maybeNumber("unreadCount") ?? 0,
    ...(added === undefined ? {} : { added: fromSeconds(added) }),
    errors: fields.maybeNumber("updateErrorCount") ?? 0,
    ...(error === undefined ? {} : { last_error: toExcerpt(error) }),
  }
}

const listFeeds = defineTool({
  name: "nc_news_list_feeds",
  title: "List feeds and folders",
  description: "Feeds with their unread counts and failed updates, and the folders they are in.",
  scopes: ["news.read"],
  effect: "read",
  input: object({ folder_id: optional(integer("Only of this folder")), ...paging }),
  output: object({
    feeds: list(feed),
    folders: list(object({ id: integer(), name: text() })),
    starred: integer(),
    newest_item_id: optional(integer()),
    ...pageFields,
  }),
  requests: 2,
  async run({ folder_id, ...page }, nextcloud) {
    const activity = "listing feeds"
    const [all, folders] = await Promise.all([readFeeds(nextcloud, activity), readFolders(nextcloud, activity)])
    const feeds = all.objects("feeds").map(toFeed)
    const { items, facts } = toPage(
      feeds.filter((item) => folder_id === undefined || item.folder_id === folder_id),
      page,
    )
    const newestItemId = all.maybeNumber("newestItemId")
    return {
      feeds: items,
      folders: folders.map((folder) => ({ id: folder.number("id"), name: folder.text("name") })),
      starred: all.maybeNumber("starredCount") ?? 0,
      ...(newestItemId === undefined ? {} : { newest_item_id: newestItemId }),
      ...facts,
    }
  },
})

const fetchedText =
  "Your Nextcloud opens this address now and regularly: its server learns everything that the address says."

const addFeed = defineTool({
  name: "nc_news_add_feed",
  title: "Add a feed",
  description: "Subscribes to the feed at this address, which Nextcloud fetches.",
  scopes: ["news.write"],
  effect: "add",
  reach: { kinds: ["outside"], find: ({ url }) => [{ kind: "outside", to: url, object: url }] },
  input: object({ url: text("Of the feed", { pattern: "^https?://" }), folder_id: optional(integer()) }),
  output: feed,
  source: "documented",
  notRecorded: "A successful response: the feed.",
  confirm: {
    requests: 0,
    verb: "Subscribe to",
    keptText: "was not opened",
    readLoss: async ({ url }) => ({ what: `the feed at “${url}”`, details: [fetchedText] }),
  },
  async run({ url, folder_id }, nextcloud) {
    const activity = `adding the feed ${url}`
    const json = { url, folderId: folder_id ?? null }
    const answer = await sendNews(nextcloud, {
      method: "POST",
      path: "/feeds",
      json,
      activity,
      accept: [404, 409, 422],
    })
    if (answer.status === 409) {
      const advice = "The user has already subscribed to it: nc_news_list_feeds shows it."
      throw nextcloudError("conflict", { activity, status: 409, advice })
    }
    const body = fieldsOf(answer.json(), activity)
    if (answer.status !== 200) {
      const detail = body.maybeText("message") ?? "there is no feed"
      const advice = "Check the address: it must be the address of a feed that the server can reach."
      throw nextcloudError("invalid", { activity, status: answer.status, detail, advice })
    }
    const [createdFeed] = body.objects("feeds")
    if (createdFeed === undefined) throw nextcloudError("malformed", { activity, detail: "no feed in the answer" })
    return toFeed(createdFeed)
  },
})

const updateFeed = defineTool({
  name: "nc_news_update_feed",
  title: "Rename or move a feed",
  description: "Renames a feed, or moves it to a folder.",
  scopes: ["news.write"],
  effect: "set",
  input: object({
    feed_id: integer(),
    title: optional(text(undefined, { least: 1 })),
    folder_id: optional(nullable(integer("null: no folder"))),
  }),
  output: object({ done: flag() }),
  requestsNote: "One more when both are given.",
  async run({ feed_id, title, folder_id }, nextcloud) {
    const activity = `changing the feed ${feed_id}`
    if (title === undefined && folder_id === undefined)
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const post = (verb: string, json: object) =>
      changeNews(nextcloud, { method: "POST", path: `/feeds/${feed_id}/${verb}`, json, activity, repeatable: true })
    if (title !== undefined) await post("rename", { feedTitle: title })
    if (folder_id !== undefined) await post("move", { folderId: folder_id })
    return { done: true }
  },
})

const removeFeed = defineTool({
  name: "nc_news_remove_feed",
  title: "Remove a feed",
  description: "Unsubscribes from a feed and deletes its articles, also starred ones.",
  scopes: ["news.write"],
  effect: "remove",
  input: object({ feed_id: integer() }),
  output: object({ removed: text("Its title") }),
  requests: 2,
  confirm: {
    verb: "Remove",
    async readLoss({ feed_id }, nextcloud) {
      const { title, feed_url, unread } = await findFeed(nextcloud, feed_id, `reading the feed ${feed_id}`)
      const details = [feed_url, `All its articles are deleted with it, ${unread} of them unread.`]
      return { what: `the feed “${title}”`, details, guard: feed_url }
    },
  },
  async run({ feed_id }, nextcloud, { loss }) {
    const activity = `removing the feed ${feed_id}`
    const feed = await findFeed(nextcloud, feed_id, activity)
    if (loss?.guard !== undefined && loss.guard !== feed.feed_url)
      throw nextcloudError("conflict", { activity, current: feed })
    await changeNews(nextcloud, { method: "DELETE", path: `/feeds/${feed_id}`, activity })
    return { removed: feed.title }
  },
})

async function findFeed(nextcloud: Nextcloud, id: number, activity: string) {
  const fields = (await readFeeds(nextcloud, activity))
    .objects("feeds")
    .find((candidate) => candidate.number("id") === id)
  if (fields === undefined) throw nextcloudError("not_found", { activity })
  return toFeed(fields)
}

export const feedTools = [listFeeds, addFeed, updateFeed, removeFeed]
