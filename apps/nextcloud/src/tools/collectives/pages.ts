// Tools for the pages of a collective: their order, text, emoji and tags.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { toBareEtag } from "../../etag.ts"
import { offsetArgument, pageFields, paging, textPartFields, toPage, toTextPart } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { PageText } from "./api.ts"
import { collectives, page, readPage, readText, textPath, toPageInfo, touchPage } from "./api.ts"

const pageIds = { collective_id: integer(), page_id: integer() }

const pageInfo = object(page)

const wholePage = object({ ...page, etag: text(), ...textPartFields })

async function readWhole(nextcloud: Nextcloud, collective: number, fields: Fields, offset?: number) {
  const { content, etag }: PageText = await readText(nextcloud, fields)
  return { ...toPageInfo(nextcloud, collective, fields), etag, ...toTextPart(content, offset) }
}

const listPages = defineTool({
  name: "nc_collectives_list_pages",
  title: "List pages of a collective",
  description: "The pages of a collective, without their text. The one whose parent_id is 0 is the start page.",
  scopes: ["collectives.read"],
  effect: "read",
  input: object({
    collective_id: integer(),
    trashed: optional(flag("List the trash instead")),
    ...paging,
  }),
  output: object({ pages: list(pageInfo), ...pageFields }),
  source: "documented",
  async run({ collective_id, trashed: isTrashed = false, ...page }, nextcloud) {
    const activity = `listing the pages of the collective ${collective_id}`
    const path = `/collectives/${collective_id}/pages${isTrashed ? "/trash" : ""}`
    const { items, facts } = toPage((await collectives(nextcloud, { path, activity })).objects("pages"), page)
    return { pages: items.map((fields) => toPageInfo(nextcloud, collective_id, fields)), ...facts }
  },
})

const searchPages = defineTool({
  name: "nc_collectives_search_pages",
  title: "Search pages of a collective",
  description:
    "Pages of a collective whose text contains these words, at most 100. Very recent changes are not found yet.",
  scopes: ["collectives.read"],
  effect: "read",
  input: object({ collective_id: integer(), query: text(undefined, { least: 1 }), ...paging }),
  output: object({ pages: list(pageInfo), ...pageFields }),
  source: "documented",
  async run({ collective_id, query, ...page }, nextcloud) {
    const activity = `searching the collective ${collective_id}`
    const request = { path: `/collectives/${collective_id}/search`, query: { searchString: query }, activity }
    const { items, facts } = toPage((await collectives(nextcloud, request)).objects("pages"), page)
    return { pages: items.map((fields) => toPageInfo(nextcloud, collective_id, fields)), ...facts }
  },
})

const getPage = defineTool({
  name: "nc_collectives_get_page",
  title: "Read a page of a collective",
  description: "One page with its Markdown text, and the etag for writing it.",
  scopes: ["collectives.read"],
  effect: "read",
  input: object({ ...pageIds, ...offsetArgument }),
  output: wholePage,
  requests: 2,
  source: "documented",
  async run({ collective_id, page_id, offset }, nextcloud) {
    const fields = await readPage(nextcloud, collective_id, page_id)
    return readWhole(nextcloud, collective_id, fields, offset)
  },
})

const createPage = defineTool({
  name: "nc_collectives_create_page",
  title: "Write a new page in a collective",
  description: "Creates a page below another. If the title is taken, the server changes it.",
  scopes: ["collectives.write"],
  effect: "add",
  input: object({
    collective_id: integer(),
    parent_id: integer("The parent; the start page for the top"),
    title: text(undefined, { least: 1 }),
    content: optional(text("Markdown")),
  }),
  output: pageInfo,
  requestsNote: "2 with content, which is written as a file.",
  source: "documented",
  async run({ collective_id, parent_id, title, content }, nextcloud) {
    const activity = `creating the page “${title}”`
    const path = `/collectives/${collective_id}/pages/${parent_id}`
    const createdPage = await collectives(nextcloud, { method: "POST", path, json: { title }, activity })
    const fields = createdPage.object("page")
    const currentPage = toPageInfo(nextcloud, collective_id, fields)
    if (content === undefined) return currentPage
    await putText(nextcloud, fields, content).catch((error: unknown) => {
      if (!isNextcloudError(error)) throw error
      const because = `the page was created, but without its text. ${error.message.replace(/\.$/, "")}`
      const advice = "Do not create it again: read it, and write its text with nc_collectives_write_page."
      throw nextcloudError(error.kind, { activity, because, advice, current: currentPage })
    })
    return currentPage
  },
})

const writePage = defineTool({
  name: "nc_collectives_write_page",
  title: "Write the text of a page",
  description:
    "Replaces the text of a page. Fails with the current page if it has changed, except within the same second.",
  scopes: ["collectives.write"],
  effect: "change",
  input: object({ ...pageIds, etag: text("As it was read"), content: text("The whole new text, Markdown") }),
  output: object({ ...page, etag: text() }),
  requests: 3,
  source: "documented",
  async run({ collective_id, page_id, etag, content }, nextcloud) {
    const fields = await readPage(nextcloud, collective_id, page_id)
    const answer = await putText(nextcloud, fields, content, etag)
    if (answer.status === 412) {
      const currentPage = await readWhole(nextcloud, collective_id, fields)
      throw nextcloudError("conflict", { status: 412, activity: `writing the page ${page_id}`, current: currentPage })
    }
    // The text is already written, so it does not matter if marking the page as changed fails.
    const touchedPage = await touchPage(nextcloud, collective_id, page_id).catch(() => fields)
    return { ...toPageInfo(nextcloud, collective_id, touchedPage), etag: toBareEtag(answer.headers.get("etag") ?? "") }
  },
})

/**
 * Writes the text of a page. With an etag, writes only if the page still has it: otherwise the answer has the status
 * 412.
 */
async function putText(nextcloud: Nextcloud, fields: Fields, content: string, etag?: string): Promise<NcAnswer> {
  return nextcloud.send({
    method: "PUT",
    path: await textPath(nextcloud, fields),
    headers: {
      "content-type": "text/markdown",
      ...(etag === undefined ? {} : { "if-match": `"${toBareEtag(etag)}"` }),
    },
    body: content,
    activity: `writing the page “${fields.text("title")}”`,
    accept: etag === undefined ? [] : [412],
  })
}

const movePage = defineTool({
  name: "nc_collectives_move_page",
  title: "Move, copy or rename a page",
  description: "Moves a page below another one, renames it, or copies it.",
  scopes: ["collectives.write"],
  effect: "change",
  input: object({
    ...pageIds,
    parent_id: optional(integer("The new parent page")),
    title: optional(text(undefined, { least: 1 })),
    index: optional(integer("Position there", { least: 0, usual: 0 })),
    copy: optional(flag()),
  }),
  output: pageInfo,
  source: "documented",
  async run({ collective_id, page_id, parent_id, title, index, copy }, nextcloud) {
    const activity = `${copy === true ? "copying" : "moving"} the page ${page_id}`
    if (parent_id === undefined && title === undefined && copy !== true)
      throw nextcloudError("invalid", { activity, because: "parent_id or title is needed" })
    // Collectives ignores an index without a new parent, so it is refused.
    if (index !== undefined && parent_id === undefined && copy !== true)
      throw nextcloudError("invalid", {
        activity,
        because: "an index is only for a page that is moved below another one",
      })
    const json = withoutUndefined({ parentId: parent_id, title, index, copy })
    const request = { method: "PUT", path: `/collectives/${collective_id}/pages/${page_id}`, json, activity }
    return toPageInfo(nextcloud, collective_id, (await collectives(nextcloud, request)).object("page"))
  },
})

const withoutUndefined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const setEmoji = defineTool({
  name: "nc_collectives_set_emoji",
  title: "Set the emoji of a collective or page",
  description: "Sets or removes the emoji of a collective or, with page_id, of a page.",
  scopes: ["collectives.write"],
  effect: "set",
  input: object({
    collective_id: integer(),
    page_id: optional(integer()),
    emoji: optional(text("Default: none")),
  }),
  output: object({ name: text(), emoji: optional(text()) }),
  source: "documented",
  async run({ collective_id, page_id, emoji }, nextcloud) {
    const isPage = page_id !== undefined
    const path = `/collectives/${collective_id}${isPage ? `/pages/${page_id}/emoji` : ""}`
    const activity = `setting the emoji of the ${isPage ? `page ${page_id}` : `collective ${collective_id}`}`
    // Null leaves the emoji unchanged; only an empty text removes it.
    const response = await collectives(nextcloud, { method: "PUT", path, json: { emoji: emoji ?? "" }, activity })
    const changed = isPage ? response.object("page") : response.object("collective")
    const newEmoji = changed.maybeText("emoji")
    return { name: changed.text(isPage ? "title" : "name"), ...(newEmoji === undefined ? {} : { emoji: newEmoji }) }
  },
})

const setPageTag = defineTool({
  name: "nc_collectives_set_page_tag",
  title: "Tag a page of a collective",
  description: "Adds a tag of the collective to a page, or removes it.",
  scopes: ["collectives.write"],
  effect: "set",
  input: object({
    ...pageIds,
    tag_id: integer(),
    assigned: optional(flag("false removes it; default: true")),
  }),
  output: object({ page_id: integer(), assigned: flag() }),
  source: "documented",
  async run({ collective_id, page_id, tag_id, assigned = true }, nextcloud) {
    const activity = `${assigned ? "adding the tag to" : "removing the tag from"} the page ${page_id}`
    const path = `/collectives/${collective_id}/pages/${page_id}/tags/${tag_id}`
    await collectives(nextcloud, { method: assigned ? "PUT" : "DELETE", path, activity, repeatable: true })
    return { page_id, assigned }
  },
})

const deletePage = defineTool({
  name: "nc_collectives_delete_page",
  title: "Delete a page of a collective",
  description: "Moves a page, with those below it, to the collective's trash.",
  scopes: ["collectives.write"],
  effect: "remove",
  reach: "ended",
  input: object(pageIds),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  source: "documented",
  confirm: {
    policy: "once",
    verb: "Delete",
    async readLoss({ collective_id, page_id }, nextcloud) {
      const fields = await readDeletable(nextcloud, collective_id, page_id)
      return {
        what: `the page “${fields.text("title")}” of ${fields.text("collectivePath")}`,
        details: [
          `${pluralize(fields.maybeNumber("size") ?? 0, "byte")}. It can be restored from the collective's trash.`,
        ],
        guard: guardOf(fields),
      }
    },
  },
  async run({ collective_id, page_id }, nextcloud, { loss }) {
    const activity = `deleting the page ${page_id}`
    const fields = await readDeletable(nextcloud, collective_id, page_id)
    if (loss?.guard !== undefined && loss.guard !== guardOf(fields))
      throw nextcloudError("conflict", { activity, current: toPageInfo(nextcloud, collective_id, fields) })
    await collectives(nextcloud, { method: "DELETE", path: `/collectives/${collective_id}/pages/${page_id}`, activity })
    return { deleted: fields.text("title") }
  },
})

/** Reads a page that will be deleted. Throws for the start page, because its folder is that of the whole collective. */
async function readDeletable(nextcloud: Nextcloud, collective: number, id: number): Promise<Fields> {
  const fields = await readPage(nextcloud, collective, id)
  if (fields.number("parentId") !== 0) return fields
  const because = "it is the start page, which is deleted only with the collective"
  throw nextcloudError("invalid", { activity: `deleting the page ${id}`, because, advice: "Replace its text instead." })
}

const guardOf = (fields: Fields): string =>
  [fields.text("title"), fields.number("timestamp"), fields.maybeNumber("size") ?? 0].join("|")

export const pageTools = [
  listPages,
  searchPages,
  getPage,
  createPage,
  writePage,
  movePage,
  setEmoji,
  setPageTag,
  deletePage,
]
