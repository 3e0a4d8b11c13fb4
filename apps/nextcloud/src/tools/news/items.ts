// Tools that list and read articles, and mark them as read or starred.

import { nextcloudError } from "../../api/error.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { htmlToText } from "../../html.ts"
import { offsetArgument, offsetIn, paging, textPartFields, toCursor, toExcerpt, toTextPart } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { defineTool } from "../../tool.ts"
import { changeNews, sendNews } from "./api.ts"

const item = {
  id: integer(),
  title: text(),
  feed_id: integer(),
  author: optional(text()),
  published: optional(text()),
  unread: flag(),
  starred: flag(),
  url: optional(text()),
}

function toItem(fields: Fields) {
  const author = fields.maybeText("author")
  const publishedAt = fields.maybeNumber("pubDate")
  const url = fields.maybeText("url")
  return {
    id: fields.number("id"),
    title: fields.maybeText("title") ?? "",
    feed_id: fields.number("feedId"),
    ...(author === undefined ? {} : { author }),
    ...(publishedAt === undefined ? {} : { published: fromSeconds(publishedAt) }),
    unread: fields.flag("unread"),
    starred: fields.flag("starred"),
    ...(url === undefined ? {} : { url }),
  }
}

/** The API's parameters for the selection: one feed, one folder, starred articles, or all. */
function toSelection(feed: number | undefined, folder: number | undefined, starred: boolean) {
  if (feed !== undefined) return { type: 0, id: feed }
  if (folder !== undefined) return { type: 1, id: folder }
  return starred ? { type: 2, id: 0 } : { type: 3, id: 0 }
}

const listItems = defineTool({
  name: "nc_news_list_items",
  title: "List articles",
  description: "Articles, newest first: all, of a feed or folder, or only unread or starred.",
  scopes: ["news.read"],
  effect: "read",
  input: object({
    feed_id: optional(integer()),
    folder_id: optional(integer()),
    unread_only: optional(flag()),
    starred_only: optional(flag("Not with feed_id or folder_id")),
    ...paging,
  }),
  output: object({ items: list(object({ ...item, excerpt: text() })), next_cursor: optional(text()) }),
  notRecorded: "Starred articles. The server does not report how many there are; feeds report their unread ones.",
  async run({ feed_id, folder_id, unread_only = false, starred_only = false, limit = 50, cursor }, nextcloud) {
    const activity = "listing articles"
    if ([feed_id !== undefined, folder_id !== undefined, starred_only].filter(Boolean).length > 1) {
      const because = "only one of feed_id, folder_id and starred_only can be given"
      throw nextcloudError("invalid", { activity, because })
    }
    // The offset is the id of the last article seen. One extra article shows whether there are more.
    const page = { batchSize: limit + 1, offset: offsetIn(cursor), getRead: !unread_only }
    const query = { ...toSelection(feed_id, folder_id, starred_only), ...page }
    const answer = await sendNews(nextcloud, { path: "/items", query, activity })
    const entries = fieldsOf(answer.json(), activity).objects("items")
    const visible = entries.slice(0, limit)
    const lastItem = visible.at(-1)
    const items = visible.map((fields) => ({
      ...toItem(fields),
      excerpt: toExcerpt(htmlToText(fields.maybeText("body") ?? "")),
    }))
    const hasMore = entries.length > limit && lastItem !== undefined
    return { items, ...(hasMore ? { next_cursor: toCursor(lastItem.number("id")) } : {}) }
  },
})

const getItem = defineTool({
  name: "nc_news_get_item",
  title: "Read an article",
  description: "One article as plain text.",
  scopes: ["news.read"],
  effect: "read",
  input: object({ item_id: integer(), ...offsetArgument }),
  output: object({ ...item, ...textPartFields }),
  async run({ item_id, offset }, nextcloud) {
    const activity = `reading the article ${item_id}`
    // The API cannot return a single article. This query returns the newest article whose id is at most `item_id`.
    const query = { type: 3, id: 0, getRead: true, batchSize: 1, offset: item_id + 1 }
    const answer = await sendNews(nextcloud, { path: "/items", query, activity })
    const entries = fieldsOf(answer.json(), activity).objects("items")
    const exactItem = entries.find((fields) => fields.number("id") === item_id)
    if (exactItem === undefined) throw nextcloudError("not_found", { activity })
    return { ...toItem(exactItem), ...toTextPart(htmlToText(exactItem.maybeText("body") ?? ""), offset) }
  },
})

const markItems = defineTool({
  name: "nc_news_mark_items",
  title: "Mark articles",
  description: "Marks articles as read or unread, or stars or unstars them.",
  scopes: ["news.write"],
  effect: "set",
  input: object({
    item_ids: list(integer(), undefined, 500),
    read: optional(flag("False: unread")),
    starred: optional(flag()),
  }),
  output: object({ marked: integer() }),
  requestsNote: "One more when both read and starred are given.",
  notRecorded: "Several at once, except marking them as read; the server ignores unknown ids.",
  async run({ item_ids, read, starred }, nextcloud) {
    const activity =
      item_ids.length === 1 ? `marking the article ${item_ids[0]}` : `marking ${item_ids.length} articles`
    const verbs = [...toVerb(read, "read", "unread"), ...toVerb(starred, "star", "unstar")]
    if (verbs.length === 0 || item_ids.length === 0)
      throw nextcloudError("invalid", { activity, because: "item_ids, and read or starred, have to be given" })
    for (const verb of verbs) {
      const [id] = item_ids
      const singleRequest = { method: "POST", path: `/items/${id}/${verb}`, activity, repeatable: true }
      const bulkRequest = { ...singleRequest, path: `/items/${verb}/multiple`, json: { itemIds: item_ids } }
      await changeNews(nextcloud, item_ids.length === 1 ? singleRequest : bulkRequest)
    }
    return { marked: item_ids.length }
  },
})

const toVerb = (isSet: boolean | undefined, setVerb: string, unsetVerb: string): readonly string[] =>
  isSet === undefined ? [] : [isSet ? setVerb : unsetVerb]

const markAllRead = defineTool({
  name: "nc_news_mark_all_read",
  title: "Mark all articles as read",
  description: "Marks articles as read, up to the newest one seen: those of a feed, of a folder, or all.",
  scopes: ["news.write"],
  effect: "set",
  input: object({
    newest_item_id: integer("Newer ones stay unread"),
    feed_id: optional(integer()),
    folder_id: optional(integer()),
  }),
  output: object({ done: flag() }),
  notRecorded: "Of a folder, and all.",
  async run({ newest_item_id, feed_id, folder_id }, nextcloud) {
    const activity = "marking articles as read"
    if (feed_id !== undefined && folder_id !== undefined)
      throw nextcloudError("invalid", { activity, because: "only one of feed_id and folder_id can be given" })
    const collection =
      feed_id === undefined ? (folder_id === undefined ? "items" : `folders/${folder_id}`) : `feeds/${feed_id}`
    const json = { newestItemId: newest_item_id }
    await changeNews(nextcloud, { method: "POST", path: `/${collection}/read`, json, activity, repeatable: true })
    return { done: true }
  },
})

export const itemTools = [listItems, getItem, markItems, markAllRead]
