// Tools about the user, the people and groups they may see, and the server's capabilities.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { offsetIn, paging, toCursor } from "../../page.ts"
import { anyValue, integer, list, object, optional, record, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"

/** The profile fields that people fill in. */
const profileFields = [
  "phone",
  "address",
  "website",
  "twitter",
  "bluesky",
  "fediverse",
  "organisation",
  "role",
  "headline",
  "biography",
  "pronouns",
]

const getMe = defineTool({
  name: "nc_users_get_me",
  title: "See who the user is",
  description: "The user's own account: name, e-mail address, groups, language, time zone, space, profile.",
  scopes: ["users.read"],
  effect: "read",
  input: object({}),
  output: object({
    id: text(),
    name: text(),
    email: optional(text()),
    groups: list(text()),
    language: optional(text()),
    time_zone: optional(text()),
    used_bytes: optional(integer()),
    free_bytes: optional(integer("Absent: no limit")),
    profile: record(text()),
    url: text(),
  }),
  async run(_, nextcloud) {
    const activity = "reading the user's account"
    return toMe(nextcloud, fieldsOf((await ocs(nextcloud, { path: "/cloud/user", activity })).data, activity))
  },
})

function toMe(nextcloud: Nextcloud, fields: Fields) {
  const quota = fields.maybeObject("quota")
  const profileEntries = profileFields.flatMap((name) => {
    const value = fields.maybeText(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  // A negative number means unlimited or not known yet.
  const freeBytes = quota?.maybeNumber("free") ?? -1
  return {
    id: fields.text("id"),
    name: fields.maybeText("displayname") ?? fields.text("id"),
    ...optionalMember("email", fields.maybeText("email")),
    groups: fields.list("groups").map(String),
    ...optionalMember("language", fields.maybeText("language")),
    ...optionalMember("time_zone", fields.maybeText("timezone")),
    ...optionalMember("used_bytes", quota?.maybeNumber("used")),
    ...optionalMember("free_bytes", freeBytes < 0 ? undefined : freeBytes),
    profile: Object.fromEntries(profileEntries),
    url: profileLink(nextcloud, fields.text("id")),
  }
}

const optionalMember = <const N extends string, T>(name: N, value: T | undefined): { readonly [K in N]?: T } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [K in N]?: T })

const profileLink = (nextcloud: Nextcloud, id: string): string => nextcloud.link(`/u/${encodeURIComponent(id)}`)

/** The numbers that Nextcloud's sharing API has for people and groups. */
const shareTypes = { users: "0", groups: "1" } as const

interface ShareeQuery {
  readonly query?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Finds people or groups through the sharee API (for “whom to share with”), which ordinary accounts may use. */
async function readSharees(
  nextcloud: Nextcloud,
  kind: keyof typeof shareTypes,
  { query = "", limit = 50, cursor }: ShareeQuery,
) {
  const activity = `searching ${kind}`
  const page = offsetIn(cursor) + 1
  const searchQuery = { search: query, itemType: "file", page, perPage: limit, shareType: [shareTypes[kind]] }
  const { data, headers } = await ocs(nextcloud, {
    path: "/apps/files_sharing/api/v1/sharees",
    query: searchQuery,
    activity,
  })
  const sharees = fieldsOf(data, activity)
  // An exact match is on the first page and may be repeated on later ones.
  const isRepeated = (sharee: Fields): boolean => page > 1 && idOf(sharee).toLowerCase() === query.toLowerCase()
  const exactMatches = (sharees.maybeObject("exact")?.objects(kind) ?? []).filter((sharee) => !isRepeated(sharee))
  const all = [...exactMatches, ...sharees.objects(kind)]
  return { all, facts: isLast(all.length, headers) ? {} : { next_cursor: toCursor(page) } }
}

/**
 * Whether this is the last page. The server links to a next page only from a page that is not full, and the link
 * contains the page size, usually 25. Removed entries (this user, disabled ones) are not replaced, so only a page that
 * is less than half full counts as the last.
 */
function isLast(count: number, headers: Headers): boolean {
  const size = Number(/[?&]perPage=(\d+)/.exec(headers.get("link") ?? "")?.[1] ?? 0)
  return count === 0 || count < size / 2
}

const idOf = (sharee: Fields): string => sharee.object("value").text("shareWith")

const searchUsers = defineTool({
  name: "nc_users_search_users",
  title: "Search people",
  description: "People on this Nextcloud whom the user may see, by part of a name, id or e-mail address.",
  scopes: ["users.read"],
  effect: "read",
  input: object({ query: text(), ...paging }),
  output: object({
    users: list(object({ id: text(), name: text(), email: optional(text()), status: optional(text()), url: text() })),
    next_cursor: optional(text()),
  }),
  notRecorded: "continuing the list; the total is not reported. A server may require whole names or a minimum length",
  async run(searchQuery, nextcloud) {
    const { all, facts } = await readSharees(nextcloud, "users", searchQuery)
    return { users: all.map((sharee) => toUser(nextcloud, sharee)), ...facts }
  },
})

function toUser(nextcloud: Nextcloud, sharee: Fields) {
  const id = idOf(sharee)
  const unique = sharee.maybeText("shareWithDisplayNameUnique")
  return {
    id,
    name: sharee.text("label"),
    ...optionalMember("email", unique?.includes("@") === true ? unique : undefined),
    ...optionalMember("status", sharee.maybeObject("status")?.maybeText("status")),
    url: profileLink(nextcloud, id),
  }
}

const listGroups = defineTool({
  name: "nc_users_list_groups",
  title: "List groups",
  description: "Groups on this Nextcloud that the user can share with. The user's own are in nc_users_get_me.",
  scopes: ["users.read"],
  effect: "read",
  input: object({ query: optional(text("Part of the name")), ...paging }),
  output: object({ groups: list(object({ id: text(), name: text() })), next_cursor: optional(text()) }),
  notRecorded: "groups that were found; the total is not reported",
  async run(searchQuery, nextcloud) {
    const { all, facts } = await readSharees(nextcloud, "groups", searchQuery)
    return { groups: all.map((sharee) => ({ id: idOf(sharee), name: sharee.text("label") })), ...facts }
  },
})

const getCapabilities = defineTool({
  name: "nc_users_get_capabilities",
  title: "See what the server can do",
  description: "The server's version, and the apps that report capabilities; with app, that app's capabilities.",
  scopes: ["users.read"],
  effect: "read",
  input: object({ app: optional(text("Such as “deck”")) }),
  output: object({ version: text(), apps: list(text()), details: optional(record(anyValue())), url: text() }),
  requests: 0,
  requestsNote: "1 when the cached capabilities are older than a minute.",
  async run({ app }, nextcloud) {
    const { version, raw, of, has } = await nextcloud.capabilities()
    if (app !== undefined && !has(app)) {
      const advice = "The app is not installed, or reports no capabilities. Omit `app` to see all."
      throw nextcloudError("not_found", { activity: `reading the capabilities of ${app}`, advice })
    }
    const details = app === undefined ? {} : { details: of(app)?.raw ?? {} }
    return { version, apps: Object.keys(raw).sort(), ...details, url: nextcloud.url }
  },
})

export const userTools = [getMe, searchUsers, listGroups, getCapabilities]
