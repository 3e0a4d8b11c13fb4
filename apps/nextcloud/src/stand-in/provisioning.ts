// Users and groups: what one may see of others, and what an administrator may do.

import type { Area, Call, Reply } from "./area.ts"
import { person } from "./people.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, inOcs } from "./routes.ts"
import { userData } from "./user-data.ts"
import type { Account } from "./world.ts"

const isAdmin = ({ user }: Call): boolean => user?.groups.includes("admin") ?? false

/** Nextcloud says so when it does not want to say more. */
const hidden = (call: Call): Reply => ocsFailure(call, 404, "", { code: 998 })

function ifAdmin(call: Call, answer: (call: Call) => Reply): Reply {
  return isAdmin(call) ? answer(call) : ocsFailure(call, 403, "Logged in account must be at least a sub admin")
}

/** Sorted by id, one page of them. */
function pageOf(call: Call, ids: readonly string[]): readonly string[] {
  const search = (call.query.get("search") ?? "").toLowerCase()
  const offset = Number(call.query.get("offset") ?? 0)
  const limit = Number(call.query.get("limit") ?? ids.length)
  return ids
    .filter((id) => id.toLowerCase().includes(search))
    .sort()
    .slice(offset, offset + limit)
}

const listUsers = (call: Call): Reply => ocs(call, { users: pageOf(call, [...call.world.users.keys()]) })

function listDetails(call: Call): Reply {
  const ids = pageOf(call, [...call.world.users.keys()])
  const users = ids.flatMap((id): [string, unknown][] => {
    const account = call.world.users.get(id)
    return account === undefined ? [] : [[id, userData(call.world, account, "admin")]]
  })
  return ocs(call, { users: Object.fromEntries(users) })
}

function showUser(call: Call, id: string): Reply {
  const account = call.world.users.get(id)
  if (!isAdmin(call) && call.user?.id !== id) return hidden(call)
  if (account === undefined) return ocsFailure(call, 404, "User does not exist")
  return ocs(call, userData(call.world, account, "own"))
}

function createUser(call: Call): Reply {
  const fields = fieldsOf(call)
  const id = fields.get("userid") ?? ""
  if (call.world.users.has(id)) return ocsFailure(call, 400, "User already exists", { code: 102 })
  const account = person(id, {
    password: fields.get("password") ?? "",
    displayName: fields.get("displayName") ?? id,
    email: fields.get("email") ?? "",
  })
  call.world.users.set(id, account)
  return ocs(call, { id })
}

/** The members of an account by the names that they have here. */
const editable: Readonly<Record<string, (account: Account, value: string) => Account>> = {
  displayname: (account, displayName) => ({ ...account, displayName }),
  email: (account, email) => ({ ...account, email }),
  password: (account, password) => ({ ...account, password }),
}

function editUser(call: Call, id: string): Reply {
  const account = call.world.users.get(id)
  if (account === undefined || (!isAdmin(call) && call.user?.id !== id)) return hidden(call)
  const fields = fieldsOf(call)
  const edit = editable[fields.get("key") ?? ""]
  if (edit === undefined) return ocsFailure(call, 400, "", { code: 113 })
  call.world.users.set(id, edit(account, fields.get("value") ?? ""))
  return ocs(call, [])
}

function deleteUser(call: Call, id: string): Reply {
  return call.world.users.delete(id) ? ocs(call, []) : hidden(call)
}

function createGroup(call: Call): Reply {
  const id = fieldsOf(call).get("groupid") ?? ""
  if (call.world.groups.has(id)) return ocsFailure(call, 400, "group exists", { code: 102 })
  call.world.groups.add(id)
  return ocs(call, [])
}

const fields =
  "displayname email additional_mail phone address website twitter bluesky fediverse organisation role headline biography profile_enabled pronouns".split(
    " ",
  )

/** By name or id, others than oneself. */
function find(call: Call, search: string): readonly Account[] {
  const wanted = search.toLowerCase()
  return [...call.world.users.values()].filter(
    ({ id, displayName }) =>
      id !== call.user?.id && (id.toLowerCase().includes(wanted) || displayName.toLowerCase().includes(wanted)),
  )
}

function autocomplete(call: Call): Reply {
  const limit = Number(call.query.get("limit") ?? 10)
  const found = find(call, call.query.get("search") ?? "").slice(0, limit)
  const entries = found.map(({ id, displayName, email }) => ({
    id,
    label: displayName,
    icon: "icon-user",
    source: "users",
    status: "",
    subline: "",
    shareWithDisplayNameUnique: email === "" ? id : email,
  }))
  return ocs(call, entries)
}

/** sharing.maxAutocompleteResults */
const mostSharees = 25

function sharees(call: Call): Reply {
  const search = call.query.get("search") ?? ""
  const none = { remotes: [], remote_groups: [], emails: [] }
  const kinds = [...call.query.getAll("shareType[]"), ...call.query.getAll("shareType")]
  const isAsked = (kind: string): boolean => kinds.length === 0 || kinds.includes(kind)
  const perPage = Math.min(Number(call.query.get("perPage") ?? 200), mostSharees)
  const page = Number(call.query.get("page") ?? 1)
  const onPage = <T>(all: readonly T[]): readonly T[] => all.slice((page - 1) * perPage, page * perPage)
  const named = [...call.world.groups].filter((id) => id.toLowerCase().includes(search.toLowerCase()))
  const groups = onPage(isAsked("1") ? named : []).map((id) => ({ label: id, value: { shareType: 1, shareWith: id } }))
  const last = { circles: [], rooms: [] }
  const people = onPage(isAsked("0") ? find(call, search) : [])
  const entries = people.map(({ id, displayName, email }) => ({
    label: displayName,
    subline: "",
    icon: "icon-user",
    value: { shareType: 0, shareWith: id },
    shareWithDisplayNameUnique: email === "" ? id : email,
    status: [],
  }))
  const isExact = ({ value, label }: (typeof entries | typeof groups)[number]): boolean =>
    [value.shareWith, label].some((text) => text.toLowerCase() === search.toLowerCase())
  const data = {
    exact: { users: entries.filter(isExact), groups: groups.filter(isExact), ...none, ...last },
    users: entries.filter((entry) => !isExact(entry)),
    groups: groups.filter((entry) => !isExact(entry)),
    ...none,
    lookup: [],
    ...last,
    lookupEnabled: false,
  }
  // From each kind that does not fill the page.
  const isFull = (kind: string, { length }: readonly unknown[]): boolean => !isAsked(kind) || length >= perPage
  if (isFull("0", entries) && isFull("1", groups)) return ocs(call, data)
  const asked = [...call.query].filter(([name]) => !["page", "perPage", "format"].includes(name))
  const next = new URLSearchParams([...asked, ["perPage", String(perPage)], ["page", String(page + 1)]])
  return ocs(call, data, { link: `<${call.url}${call.path}?${next}>; rel="next"` })
}

export const provisioningArea: Area = createArea([
  ["GET", inOcs("/cloud/users"), (call) => ifAdmin(call, listUsers)],
  ["POST", inOcs("/cloud/users"), (call) => ifAdmin(call, createUser)],
  ["GET", inOcs("/cloud/users/details"), (call) => ifAdmin(call, listDetails)],
  ["GET", inOcs("/cloud/users/(?<id>[^/]+)"), (call, { id = "" }) => showUser(call, id)],
  ["PUT", inOcs("/cloud/users/(?<id>[^/]+)"), (call, { id = "" }) => editUser(call, id)],
  ["DELETE", inOcs("/cloud/users/(?<id>[^/]+)"), (call, { id = "" }) => ifAdmin(call, () => deleteUser(call, id))],
  ["GET", inOcs("/cloud/user/fields"), (call) => ocs(call, fields)],
  [
    "GET",
    inOcs("/cloud/groups"),
    (call) => ifAdmin(call, () => ocs(call, { groups: pageOf(call, [...call.world.groups]) })),
  ],
  ["POST", inOcs("/cloud/groups"), (call) => ifAdmin(call, createGroup)],
  ["GET", inOcs("/core/autocomplete/get"), autocomplete],
  ["GET", inOcs("/apps/files_sharing/api/v1/sharees"), sharees],
])
