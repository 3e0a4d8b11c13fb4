// PUT, MKCOL and DELETE in a folder of files.

import type { Reply } from "../area.ts"
import type { World } from "../world.ts"
import * as answer from "./answers.ts"
import { refusedBy } from "./conditions.ts"
import type { DavRequest, Method } from "./dav-request.ts"
import { folderOf, nameOf, wrongWith } from "./names.ts"
import { attach, createNode, detach, type FileNode, isWithin, pathOf, write } from "./node.ts"
import { freeFor, oneId } from "./properties.ts"
import { changed, type Entry, isMissing, leave, rights, seconds, stateOf, trashOf } from "./store.ts"

export const putFile: Method = (request) => {
  const { call, path, view } = request
  const there = view.at(path)
  const entry = isMissing(there) ? undefined : there
  const refused = refusedBy(request, entry)
  if (refused !== undefined) return refused
  if (entry?.node.folder) return answer.conflict("PUT is not allowed on non-files.")
  const parent = parentFor(request)
  if (answer.isReply(parent)) return parent
  return entry === undefined ? create(request, parent, call.body) : replace(request, entry, call.body)
}

/** The parent folder for a new node, or the refusal. */
function parentFor({ view, path }: DavRequest): Entry | Reply {
  const parent = view.at(folderOf(path))
  if (isMissing(parent)) return answer.notLocated(parent.missing)
  const wrong = wrongWith(nameOf(path))
  if (wrong !== undefined) return answer.invalidName(wrong)
  return parent.node.folder ? parent : answer.conflict("Files can only be created in folders.")
}

export function create(request: DavRequest, parent: Entry, content: Uint8Array): Reply {
  if ((parent.permissions & rights.create) === 0) return answer.forbidden()
  const full = tooBig(request, parent.node.owner, content.byteLength)
  if (full !== undefined) return full
  const node = addFile(request.world, parent.node, nameOf(request.path))
  return written(request, node, content, 201)
}

export function replace(request: DavRequest, entry: Entry, content: Uint8Array): Reply {
  if ((entry.permissions & rights.update) === 0) return answer.forbidden()
  const more = content.byteLength - entry.node.content.byteLength
  return tooBig(request, entry.node.owner, content.byteLength, more) ?? written(request, entry.node, content, 204)
}

function written(request: DavRequest, node: FileNode, content: Uint8Array, status: number): Reply {
  const { world, call, user } = request
  const mtime = numberOf(call.headers.get("x-oc-mtime"))
  const created = numberOf(call.headers.get("x-oc-ctime"))
  const checksum = call.headers.get("oc-checksum") ?? ""
  write(node, content, {
    now: seconds(world),
    author: user,
    checksum,
    ...(mtime === undefined ? {} : { mtime }),
    ...(created === undefined ? {} : { created }),
  })
  changed(world, node)
  const etag = `"${node.etag}"`
  return answer.done(status, {
    ...(mtime === undefined ? {} : { "x-oc-mtime": "accepted" }),
    ...(created === undefined ? {} : { "x-oc-ctime": "accepted" }),
    "oc-fileid": oneId(node.id),
    etag,
    "oc-etag": etag,
  })
}

function tooBig(request: DavRequest, owner: string, size: number, more = size): Reply | undefined {
  const free = freeFor(request.world, owner)
  if (free < 0 || more <= free) return undefined
  return answer.insufficientStorage(`Insufficient space in ${request.path}, ${size} required, ${free} available`)
}

export const mkcol: Method = (request) => {
  const { world, view, path } = request
  if (!isMissing(view.at(path))) {
    return answer.notAllowed("The resource you tried to create already exists")
  }
  const parent = view.at(folderOf(path))
  if (isMissing(parent) || !parent.node.folder) return answer.conflict("Parent node does not exist")
  const wrong = wrongWith(nameOf(path))
  if (wrong !== undefined) return answer.invalidName(wrong)
  if ((parent.permissions & rights.create) === 0) return answer.forbidden()
  const folder = addFolder(world, parent.node, nameOf(path))
  return answer.done(201, { "oc-fileid": oneId(folder.id) })
}

export const remove: Method = (request) => {
  const { world, view, path, user } = request
  const entry = view.at(path)
  const refused = refusedBy(request, isMissing(entry) ? undefined : entry)
  if (refused !== undefined) return refused
  if (isMissing(entry)) return answer.notLocated(entry.missing)
  const no = mayNotRemove(entry)
  if (no !== undefined) return no
  throwAway(world, entry, user)
  return answer.done(204)
}

/** The reason why the entry must not be removed; undefined when it may be removed. */
export function mayNotRemove(entry: Entry): Reply | undefined {
  if (entry.path === "/") return answer.forbidden()
  if (!entry.mounted && (entry.permissions & rights.delete) === 0) return answer.forbidden()
  return undefined
}

/** Moves the node into its owner's trash. A share of another person is only removed from the recipient's view. */
export function throwAway(world: World, { node, path, share, mounted }: Entry, by: string): void {
  if (share !== undefined && mounted) {
    leave(world, share, by)
    return
  }
  const trash = trashOf(world, node.owner)
  let at = seconds(world)
  while (trash.some((one) => one.at === at && one.node.name === node.name)) at += 1
  const from = share === undefined ? path : pathOf(node)
  changed(world, node)
  unshare(world, node)
  detach(node)
  if (world.isInstalled("files_trashbin")) trash.push({ node, at, from, by })
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
  changed(world, node)
  return node
}

function numberOf(header: string | null): number | undefined {
  const value = Number(header ?? Number.NaN)
  return Number.isFinite(value) ? Math.floor(value) : undefined
}
