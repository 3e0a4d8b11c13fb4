// PUT, MKCOL and DELETE in a folder of files.

import type { Reply } from "../area.ts"
import type { World } from "../world.ts"
import * as answer from "./answers.ts"
import { findFailedCondition } from "./conditions.ts"
import type { DavRequest, Method } from "./dav-request.ts"
import { findNameProblem, folderOf, nameOf } from "./names.ts"
import { attach, createNode, detach, type FileNode, isWithin, pathOf, write } from "./node.ts"
import { freeFor, instanceFileId } from "./properties.ts"
import { type Entry, isMissing, leaveShare, markChanged, rights, seconds, stateOf, trashOf } from "./store.ts"

export const putFile: Method = (request) => {
  const { call, path, view } = request
  const target = view.entryAt(path)
  const entry = isMissing(target) ? undefined : target
  const refusal = findFailedCondition(request, entry)
  if (refusal !== undefined) return refusal
  if (entry?.node.folder) return answer.conflict("PUT is not allowed on non-files.")
  const parent = parentFor(request)
  if (answer.isReply(parent)) return parent
  return entry === undefined ? createFile(request, parent, call.body) : replaceFile(request, entry, call.body)
}

/** The parent folder for a new node, or the refusal. */
function parentFor({ view, path }: DavRequest): Entry | Reply {
  const parent = view.entryAt(folderOf(path))
  if (isMissing(parent)) return answer.notLocated(parent.missing)
  const nameProblem = findNameProblem(nameOf(path))
  if (nameProblem !== undefined) return answer.invalidName(nameProblem)
  return parent.node.folder ? parent : answer.conflict("Files can only be created in folders.")
}

export function createFile(request: DavRequest, parent: Entry, content: Uint8Array): Reply {
  if ((parent.permissions & rights.create) === 0) return answer.forbidden()
  const quotaRefusal = findQuotaRefusal(request, parent.node.owner, content.byteLength)
  if (quotaRefusal !== undefined) return quotaRefusal
  const node = addFile(request.world, parent.node, nameOf(request.path))
  return writeContent(request, node, content, 201)
}

export function replaceFile(request: DavRequest, entry: Entry, content: Uint8Array): Reply {
  if ((entry.permissions & rights.update) === 0) return answer.forbidden()
  const growth = content.byteLength - entry.node.content.byteLength
  return (
    findQuotaRefusal(request, entry.node.owner, content.byteLength, growth) ??
    writeContent(request, entry.node, content, 204)
  )
}

function writeContent(request: DavRequest, node: FileNode, content: Uint8Array, status: number): Reply {
  const { world, call, user } = request
  const mtime = numberOf(call.headers.get("x-oc-mtime"))
  const creationTime = numberOf(call.headers.get("x-oc-ctime"))
  const checksum = call.headers.get("oc-checksum") ?? ""
  write(node, content, {
    now: seconds(world),
    author: user,
    checksum,
    ...(mtime === undefined ? {} : { mtime }),
    ...(creationTime === undefined ? {} : { created: creationTime }),
  })
  markChanged(world, node)
  const etag = `"${node.etag}"`
  return answer.emptyReply(status, {
    ...(mtime === undefined ? {} : { "x-oc-mtime": "accepted" }),
    ...(creationTime === undefined ? {} : { "x-oc-ctime": "accepted" }),
    "oc-fileid": instanceFileId(node.id),
    etag,
    "oc-etag": etag,
  })
}

function findQuotaRefusal(request: DavRequest, owner: string, size: number, growth = size): Reply | undefined {
  const freeBytes = freeFor(request.world, owner)
  if (freeBytes < 0 || growth <= freeBytes) return undefined
  return answer.insufficientStorage(`Insufficient space in ${request.path}, ${size} required, ${freeBytes} available`)
}

export const mkcol: Method = (request) => {
  const { world, view, path } = request
  if (!isMissing(view.entryAt(path))) {
    return answer.notAllowed("The resource you tried to create already exists")
  }
  const parent = view.entryAt(folderOf(path))
  if (isMissing(parent) || !parent.node.folder) return answer.conflict("Parent node does not exist")
  const nameProblem = findNameProblem(nameOf(path))
  if (nameProblem !== undefined) return answer.invalidName(nameProblem)
  if ((parent.permissions & rights.create) === 0) return answer.forbidden()
  const folder = addFolder(world, parent.node, nameOf(path))
  return answer.emptyReply(201, { "oc-fileid": instanceFileId(folder.id) })
}

export const remove: Method = (request) => {
  const { world, view, path, user } = request
  const entry = view.entryAt(path)
  const refusal = findFailedCondition(request, isMissing(entry) ? undefined : entry)
  if (refusal !== undefined) return refusal
  if (isMissing(entry)) return answer.notLocated(entry.missing)
  const removeRefusal = findRemoveRefusal(entry)
  if (removeRefusal !== undefined) return removeRefusal
  moveToTrash(world, entry, user)
  return answer.emptyReply(204)
}

/** The reason why the entry must not be removed; undefined when it may be removed. */
export function findRemoveRefusal(entry: Entry): Reply | undefined {
  if (entry.path === "/") return answer.forbidden()
  if (!entry.mounted && (entry.permissions & rights.delete) === 0) return answer.forbidden()
  return undefined
}

/** Moves the node into its owner's trash. A share of another person is only removed from the recipient's view. */
export function moveToTrash(world: World, { node, path, share, mounted }: Entry, user: string): void {
  if (share !== undefined && mounted) {
    leaveShare(world, share, user)
    return
  }
  const trash = trashOf(world, node.owner)
  let deletedAt = seconds(world)
  while (trash.some((one) => one.at === deletedAt && one.node.name === node.name)) deletedAt += 1
  const originalPath = share === undefined ? path : pathOf(node)
  markChanged(world, node)
  unshare(world, node)
  detach(node)
  if (world.isInstalled("files_trashbin")) trash.push({ node, at: deletedAt, from: originalPath, by: user })
}

/** Deleting ends the shares; restoring does not bring them back. */
function unshare(world: World, node: FileNode): void {
  const { shares } = stateOf(world)
  for (const share of [...shares]) if (isWithin(share.node, node)) shares.splice(shares.indexOf(share), 1)
}

export function addFile(world: World, parent: FileNode, name: string): FileNode {
  return add(world, parent, name, false)
}

export function addFolder(world: World, parent: FileNode, name: string): FileNode {
  return add(world, parent, name, true)
}

function add(world: World, parent: FileNode, name: string, folder: boolean): FileNode {
  const node = createNode({ id: world.nextId(), owner: parent.owner, folder, name, mtime: seconds(world) })
  attach(parent, node, name)
  markChanged(world, node)
  return node
}

function numberOf(header: string | null): number | undefined {
  const value = Number(header ?? Number.NaN)
  return Number.isFinite(value) ? Math.floor(value) : undefined
}
