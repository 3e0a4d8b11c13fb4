// Sharing over OCS: with people, groups, by link and by mail. A share with a person appears in their files. Groups and
// mail follow the documented API, not recordings.

import type { Call, Reply } from "../area.ts"
import { ocs, ocsFailure } from "../replies.ts"
import { fieldsOf, inOcs, type Route } from "../routes.ts"
import { random, type World } from "../world.ts"
import { decodePath, folderOf, nameOf } from "./names.ts"
import { toShare } from "./share-shape.ts"
import {
  type Entry,
  isMissing,
  leaveShare,
  liveShares,
  rights,
  type Share,
  seconds,
  shareTypes,
  stateOf,
  viewOf,
} from "./store.ts"

const base = "/apps/files_sharing/api/v1/shares"

/** The id of the caller. Only calls of signed-in users reach these routes. */
const callerId = ({ user }: Call): string => user?.id ?? ""

export const shareRoutes: readonly Route[] = [
  ["GET", inOcs(base), (call) => list(call)],
  ["POST", inOcs(base), (call) => create(call)],
  ["GET", inOcs(`${base}/inherited`), (call) => listInherited(call)],
  ["GET", inOcs(`${base}/pending`), (call) => ocs(call, [])],
  [
    "GET",
    inOcs(`${base}/(?<id>\\d+)`),
    (call, { id }) => withShare(call, id, (share) => ocs(call, [toShare(call, share)])),
  ],
  ["PUT", inOcs(`${base}/(?<id>\\d+)`), (call, { id }) => withShare(call, id, (share) => update(call, share))],
  ["DELETE", inOcs(`${base}/(?<id>\\d+)`), (call, { id }) => withShare(call, id, (share) => remove(call, share))],
]

function withShare(call: Call, id: string | undefined, answer: (share: Share) => Reply): Reply {
  const share = liveShares(call.world).find((one) => String(one.id) === id)
  const isVisible = share !== undefined && (share.owner === callerId(call) || share.targets.has(callerId(call)))
  return isVisible ? answer(share) : ocsFailure(call, 404, "Wrong share ID, share does not exist")
}

function list(call: Call): Reply {
  const { world, query } = call
  const all = liveShares(world)
  if (query.get("shared_with_me") === "true") {
    return sharesReply(
      call,
      all.filter(({ targets }) => targets.has(callerId(call))),
    )
  }
  const ownShares = all.filter(({ owner }) => owner === callerId(call))
  const path = query.get("path")
  if (path === null || path === "") return sharesReply(call, ownShares)
  const entry = entryAt(call, path)
  if (entry === undefined) return toWrongPath(call)
  if (query.get("subfiles") === "true") {
    if (!entry.node.folder) return ocsFailure(call, 400, "Not a directory")
    return sharesReply(
      call,
      ownShares.filter(({ node }) => node.parent === entry.node),
    )
  }
  return sharesReply(
    call,
    all.filter(
      (share) => share.node === entry.node && (share.owner === callerId(call) || query.get("reshares") === "true"),
    ),
  )
}

/** The shares of the parent folders. */
function listInherited(call: Call): Reply {
  const entry = entryAt(call, call.query.get("path") ?? "")
  if (entry === undefined) return toWrongPath(call)
  const inheritedShares = liveShares(call.world).filter(({ node, owner }) => {
    for (let folder = entry.node.parent; folder !== undefined; folder = folder.parent)
      if (folder === node) return owner === callerId(call)
    return false
  })
  return sharesReply(call, inheritedShares)
}

const sharesReply = (call: Call, shares: readonly Share[]): Reply =>
  ocs(
    call,
    shares.map((share) => toShare(call, share)),
  )

const toWrongPath = (call: Call): Reply => ocsFailure(call, 404, "Wrong path, file/folder does not exist")

function entryAt(call: Call, path: string): Entry | undefined {
  const entry = viewOf(call.world, callerId(call)).entryAt(decodePath(encodeURIComponent(path)) ?? "/")
  return isMissing(entry) ? undefined : entry
}

function create(call: Call): Reply {
  const fields = fieldsOf(call)
  const path = fields.get("path")
  if (path === undefined) return ocsFailure(call, 404, "Please specify a file or folder path")
  const entry = entryAt(call, path)
  if (entry === undefined) return toWrongPath(call)
  const type = Number(fields.get("shareType") ?? -1)
  const recipient = fields.get("shareWith") ?? ""
  const refusal = findRefusal(call, entry, type, recipient)
  if (refusal !== undefined) return refusal
  const existing = liveShares(call.world).find(
    (one) => one.node === entry.node && one.type === type && one.with === recipient && type !== shareTypes.link,
  )
  if (existing !== undefined) return ocs(call, toShare(call, existing))
  const expiration = fields.get("expireDate")
  if (isBadDate(expiration)) return badDate(call, 404)
  const share = addShare(call.world, entry, { owner: callerId(call), type, recipient, fields })
  return ocs(call, { ...toShare(call, share), mail_send: 1 })
}

function findRefusal(call: Call, entry: Entry, type: number, recipient: string): Reply | undefined {
  const { world } = call
  const validTypes: readonly number[] = Object.values(shareTypes)
  if (!validTypes.includes(type)) return ocsFailure(call, 400, "Unknown share type")
  if (type === shareTypes.user && !world.users.has(recipient)) {
    return ocsFailure(call, 404, "Please specify a valid account to share with")
  }
  if (type === shareTypes.group && !world.groups.has(recipient)) {
    return ocsFailure(call, 404, "Please specify a valid group")
  }
  if (type === shareTypes.email && !/^\S+@\S+$/.test(recipient)) {
    return ocsFailure(call, 404, "Please specify a valid email address")
  }
  if (type === shareTypes.user && recipient === callerId(call))
    return ocsFailure(call, 403, "You cannot share with yourself")
  if ((entry.permissions & rights.share) === 0 || entry.path === "/") {
    return ocsFailure(call, 404, "You are not allowed to share this")
  }
  return undefined
}

interface NewShare {
  readonly owner: string
  readonly type: number
  readonly recipient: string
  readonly fields: ReadonlyMap<string, string>
}

export function addShare(world: World, entry: Entry, { owner, type, recipient, fields }: NewShare): Share {
  const isPublic = isPublicType(type)
  const share: Share = {
    id: world.nextId(),
    type,
    node: entry.node,
    owner,
    with: recipient,
    token: isPublic ? random(15) : undefined,
    since: seconds(world),
    permissions: permissionsFor(entry, isPublic, fields),
    password: fields.get("password") || undefined,
    expiration: fields.get("expireDate") || undefined,
    note: fields.get("note") ?? "",
    label: isPublic ? (fields.get("label") ?? "") : "",
    // Cannot be set at creation.
    hideDownload: false,
    targets: new Map(),
  }
  for (const user of recipientsOf(world, share)) share.targets.set(user, freePath(world, user, `/${entry.node.name}`))
  stateOf(world).shares.push(share)
  return share
}

function permissionsFor(entry: Entry, isPublic: boolean, fields: ReadonlyMap<string, string>): number {
  const requestedPermissions = Number(fields.get("permissions") ?? Number.NaN)
  const linkPermissions = fields.get("publicUpload") === "true" ? 15 + rights.share : rights.read + rights.share
  const permissions = Number.isNaN(requestedPermissions)
    ? isPublic
      ? linkPermissions
      : rights.folder
    : requestedPermissions | rights.read
  return (
    permissions & entry.permissions & (entry.node.folder ? rights.folder : rights.read + rights.update + rights.share)
  )
}

function recipientsOf(world: World, share: Share): readonly string[] {
  if (share.type === shareTypes.user) return [share.with]
  if (share.type !== shareTypes.group) return []
  const members = [...world.users.values()].filter(({ groups }) => groups.includes(share.with))
  return members.map(({ id }) => id).filter((id) => id !== share.owner)
}

function freePath(world: World, user: string, path: string): string {
  const view = viewOf(world, user)
  const name = nameOf(path)
  const dot = name.lastIndexOf(".")
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""]
  let candidate = path
  for (let count = 2; !isMissing(view.entryAt(candidate)); count += 1) {
    candidate = `${folderOf(path) === "/" ? "" : folderOf(path)}/${stem} (${count})${extension}`
  }
  return candidate
}

function update(call: Call, share: Share): Reply {
  if (share.owner !== callerId(call)) return ocsFailure(call, 403, "You are not allowed to edit incoming shares")
  const fields = fieldsOf(call)
  const { permissions, note, label, expireDate, password, hideDownload } = Object.fromEntries(fields)
  const changes = [permissions, note, label, expireDate, password, hideDownload]
  if (changes.every((one) => one === undefined)) return ocsFailure(call, 400, "Wrong or no update parameter given")
  if (isBadDate(expireDate)) return badDate(call, 400)
  if (permissions !== undefined) share.permissions = Number(permissions) | rights.read
  if (note !== undefined) share.note = note
  const isPublic = isPublicType(share.type)
  if (isPublic && label !== undefined) share.label = label
  if (isPublic && hideDownload !== undefined) share.hideDownload = hideDownload === "true"
  if (expireDate !== undefined) share.expiration = expireDate === "" ? undefined : expireDate.slice(0, 10)
  if (password !== undefined) share.password = password === "" ? undefined : password
  return ocs(call, toShare(call, share))
}

function remove(call: Call, share: Share): Reply {
  const { shares } = stateOf(call.world)
  if (share.owner === callerId(call)) shares.splice(shares.indexOf(share), 1)
  else leaveShare(call.world, share, callerId(call))
  return ocs(call, [])
}

const isBadDate = (date: string | undefined): boolean =>
  date !== undefined && date !== "" && Number.isNaN(Date.parse(date))

const badDate = (call: Call, status: number): Reply =>
  ocsFailure(call, status, "Invalid date. Format must be YYYY-MM-DD")

const isPublicType = (type: number): boolean => type === shareTypes.link || type === shareTypes.email
