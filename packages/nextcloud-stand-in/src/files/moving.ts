// MOVE and COPY in a folder of files.

import type { Reply } from "../area.ts"
import { davError } from "../replies.ts"
import type { World } from "../world.ts"
import * as answer from "./answers.ts"
import { refusedBy } from "./conditions.ts"
import { type DavRequest, destinationOf, type Method } from "./dav-request.ts"
import { folderOf, nameOf, wrongWith } from "./names.ts"
import { attach, createNode, detach, type FileNode, isWithin, sizeOf } from "./node.ts"
import { freeFor, oneId } from "./properties.ts"
import { changed, type Entry, isMissing, rights, seconds } from "./store.ts"
import { mayNotRemove, throwAway } from "./writing.ts"

export const move: Method = (request) => {
  const there = journeyOf(request)
  if (answer.isReply(there)) return there
  const { entry, parent, path, existing } = there
  const no = mayNotRemove(entry) ?? makeRoom(request, existing)
  if (no !== undefined) return no
  relocate(request, entry, parent, path)
  const { node } = entry
  const etag = `"${node.etag}"`
  const tags = node.folder ? {} : { "oc-etag": etag, etag }
  return answer.done(existing === undefined ? 201 : 204, { ...tags, "oc-fileid": oneId(node.id) })
}

export const copy: Method = (request) => {
  const there = journeyOf(request)
  if (answer.isReply(there)) return there
  const { entry, parent, path, existing } = there
  const free = freeFor(request.world, parent.node.owner)
  const size = sizeOf(entry.node)
  if (free >= 0 && size > free) {
    return answer.insufficientStorage(`Insufficient space in ${path}, ${size} required, ${free} available`)
  }
  const no = makeRoom(request, existing)
  if (no !== undefined) return no
  const twin = duplicate(request.world, entry.node, parent.node.owner)
  attach(parent.node, twin, nameOf(path))
  changed(request.world, twin)
  return answer.done(existing === undefined ? 201 : 204, { "oc-fileid": oneId(twin.id) })
}

interface Journey {
  readonly entry: Entry
  readonly parent: Entry
  readonly path: string
  readonly existing: Entry | undefined
}

const typeError =
  "A type error occurred. For more details, please refer to the logs, " +
  "which provide additional context about the type error."

/** Source and destination, or the refusal. */
function journeyOf(request: DavRequest): Journey | Reply {
  const { call, view, path: from } = request
  const destination = destinationOf(call)
  if (destination === undefined) return davError(500, "TypeError", typeError)
  const entry = view.at(from)
  if (isMissing(entry)) return answer.notLocated(entry.missing)
  const refused = refusedBy(request, entry)
  if (refused !== undefined) return refused
  const { user, path } = destination
  if (user !== view.user) return answer.forbidden(`Permission denied to create file (filename ${nameOf(path)})`)
  if (path === from) return answer.forbidden("Source and destination uri are identical.")
  const parent = view.at(folderOf(path))
  if (isMissing(parent) || !parent.node.folder) return answer.conflict("The destination node is not found")
  if (isWithin(parent.node, entry.node)) {
    return answer.conflict("The destination may not be part of the same subtree as the source path.")
  }
  const wrong = wrongWith(nameOf(path))
  if (wrong !== undefined) return answer.invalidName(wrong)
  if ((parent.permissions & rights.create) === 0) return answer.forbidden()
  const target = view.at(path)
  const existing = isMissing(target) ? undefined : target
  if (existing !== undefined && call.headers.get("overwrite")?.toUpperCase() === "F") {
    return answer.destinationExists()
  }
  if (existing !== undefined && isWithin(entry.node, existing.node)) {
    return answer.conflict("The source may not be part of the destination that it would replace.")
  }
  return { entry, parent, path, existing }
}

function makeRoom(request: DavRequest, existing: Entry | undefined): Reply | undefined {
  if (existing === undefined) return undefined
  const no = mayNotRemove(existing)
  if (no === undefined) throwAway(request.world, existing, request.user)
  return no
}

/** A mounted share only changes its mount path; a node in another person's folder becomes theirs. */
function relocate({ world, user }: DavRequest, { node, share, mounted }: Entry, parent: Entry, path: string): void {
  if (share !== undefined && mounted) {
    share.targets.set(user, path)
    return
  }
  changed(world, node)
  detach(node)
  own(node, parent.node.owner)
  attach(parent.node, node, nameOf(path))
  changed(world, node)
}

function own(node: FileNode, owner: string): void {
  node.owner = owner
  for (const child of node.children.values()) own(child, owner)
}

function duplicate(world: World, node: FileNode, owner: string): FileNode {
  const twin = createNode({ id: world.nextId(), owner, folder: node.folder, name: node.name, mtime: node.mtime })
  twin.content = node.content
  twin.uploaded = seconds(world)
  twin.checksum = node.checksum
  if (!node.folder) twin.etag = node.etag
  for (const child of node.children.values()) attach(twin, duplicate(world, child, owner), child.name)
  return twin
}
