// Users and groups: what one may see of others, and what an administrator may do.

import type { Area, Call, Reply } from "./area.ts"
import { person } from "./people.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, fieldsOf, inOcs } from "./routes.ts"
import { accountsNamed, othersIn, sharees } from "./sharees.ts"
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

function autocomplete(call: Call): Reply {
  const limit = Number(call.query.get("limit") ?? 10)
  const found = othersIn(call, accountsNamed(call, call.query.get("search") ?? "")).slice(0, limit)
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
