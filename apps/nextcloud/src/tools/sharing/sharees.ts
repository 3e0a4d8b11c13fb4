// The tool that finds people, groups and others to share with.

import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { shareKinds } from "../files/item.ts"
import { shares } from "./share.ts"

export const searchSharees = defineTool({
  name: "nc_sharing_search_sharees",
  title: "Find whom to share with",
  description: "People, groups and others by part of their name, with the id that sharing needs. Exact matches first.",
  scopes: ["sharing.read"],
  effect: "read",
  input: object({ query: text("Part of a name or an e-mail address", { least: 1 }), ...paging }),
  output: object({
    sharees: list(object({ id: text(), name: text(), kind: text(), detail: optional(text()) })),
    ...pageFields,
    more: optional(flag("There are more: give more of the name")),
  }),
  notRecorded:
    "Kinds other than people. The server returns at most 25 of each kind, unless it is configured otherwise.",
  async run({ query: search, ...page }, nextcloud) {
    const activity = `searching for “${search}”`
    const query = { search, itemType: "file", perPage: 200, lookup: false }
    const { data, headers } = await shares(nextcloud, { path: "/sharees", query, activity })
    const all = fieldsOf(data, activity)
    const exactMatches = all.maybeObject("exact")
    const sharees = [...(exactMatches === undefined ? [] : shareesIn(exactMatches)), ...shareesIn(all)]
    const { items, facts } = toPage(sharees, page)
    return { sharees: items, ...facts, ...(isCut(all, headers) ? { more: true } : {}) }
  },
})

/**
 * Whether the results were truncated: one kind fills a page. The size of a page is in the link to the next page, which
 * the server sends even when there is none.
 */
function isCut({ raw }: Fields, headers: Headers): boolean {
  const pageLimit = Number(/[?&]perPage=(\d+)/.exec(headers.get("link") ?? "")?.[1] ?? Number.POSITIVE_INFINITY)
  return Object.values(raw).some((list) => Array.isArray(list) && list.length >= pageLimit)
}

/** The results, which come in lists by kind: “users”, “groups”, “emails” … */
function shareesIn(sharees: Fields) {
  return Object.keys(sharees.raw)
    .filter((name) => name !== "exact" && Array.isArray(sharees.raw[name]))
    .flatMap((name) => sharees.objects(name))
    .map(shareeOf)
}

function shareeOf(fields: Fields) {
  const value = fields.object("value")
  const detail = fields.maybeText("shareWithDisplayNameUnique") ?? fields.maybeText("subline")
  return {
    id: value.text("shareWith"),
    name: fields.text("label"),
    kind: shareKinds[value.number("shareType")] ?? "other",
    ...(detail === undefined ? {} : { detail }),
  }
}
