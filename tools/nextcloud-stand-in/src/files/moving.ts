// MOVE and COPY in a folder of files.

import type { Reply } from "../area.ts"
import { davError } from "../replies.ts"
import type { World } from "../world.ts"
import * as answer from "./answers.ts"
import { findFailedCondition } from "./conditions.ts"
import { type DavRequest, destinationOf, type Method } from "./dav-request.ts"
import { findNameProblem, folderOf, nameOf } from "./names.ts"
import { attach, createNode, detach, type FileNode, isWithin, sizeOf } from "./node.ts"
import { freeFor, instanceFileId } from "./properties.ts"
import { type Entry, isMissing, markChanged, rights, seconds } from "./store.ts"
import { findRemoveRefusal, moveToTrash } from "./writing.ts"

export const move: Method = (request) => {
  const moveTarget = moveTargetOf(request)
  if (answer.isReply(moveTarget)) return moveTarget
  const { entry, parent, path, existing } = moveTarget
  const refusal = findRemoveRefusal(entry) ?? makeRoom(request, existing)
  if (refusal !== undefined) return refusal
  relocate(request, entry, parent, path)
  const { node } = entry
  const etag = `"${node.etag}"`
  const tags = node.folder ? {} : { "oc-etag": etag, etag }
  return answer.emptyReply(existing === undefined ? 201 : 204, { ...tags, "oc-fileid": instanceFileId(node.id) })
}

export const copy: Method = (request) => {
  const moveTarget = moveTargetOf(request)
  if (answer.isReply(moveTarget)) return moveTarget
  const { entry, parent, path, existing } = moveTarget
  const freeBytes = freeFor(request.world, parent.node.owner)
  const size = sizeOf(entry.node)
  if (freeBytes >= 0 && size > freeBytes) {
    return answer.insufficientStorage(`Insufficient space in ${path}, ${size} required, ${freeBytes} available`)
  }
  const refusal = makeRoom(request, existing)
  if (refusal !== undefined) return refusal
  const copiedNode = duplicate(request.world, entry.node, parent.node.owner)
  attach(parent.node, copiedNode, nameOf(path))
  markChanged(request.world, copiedNode)
  return answer.emptyReply(existing === undefined ? 201 : 204, { "oc-fileid": instanceFileId(copiedNode.id) })
}

interface MoveTarget {
  readonly entry: Entry
  readonly parent: Entry
  readonly path: string
  readonly existing: Entry | undefined
}

const typeError =
  "A type error occurred. For more details, please refer to the logs, " +
  "which provide additional context about the type error."

/** Source and destination, or the refusal. */
function moveTargetOf(request: DavRequest): MoveTarget | Reply {
  const { call, view, path: sourcePath } = request
  const destination = destinationOf(call)
  if (destination === undefined) return davError(500, "TypeError", typeError)
  const entry = view.entryAt(sourcePath)
  if (isMissing(entry)) return answer.notLocated(entry.missing)
  const refusal = findFailedCondition(request, entry)
  if (refusal !== undefined) return refusal
  const { user, path } = destination
  if (user !== view.user) return answer.forbidden(`Permission denied to create file (filename ${nameOf(path)})`)
  if (path === sourcePath) return answer.forbidden("Source and destination uri are identical.")
  const parent = view.entryAt(folderOf(path))
  if (isMissing(parent) || !parent.node.folder) return answer.conflict("The destination node is not found")
  if (isWithin(parent.node, entry.node)) {
    return answer.conflict("The destination may not be part of the same subtree as the source path.")
  }
  const nameProblem = findNameProblem(nameOf(path))
  if (nameProblem !== undefined) return answer.invalidName(nameProblem)
  if ((parent.permissions & rights.create) === 0) return answer.forbidden()
  const target = view.entryAt(path)
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
  const refusal = findRemoveRefusal(existing)
  if (refusal === undefined) moveToTrash(request.world, existing, request.user)
  return refusal
}

/** Moves an entry. A mounted share only changes its path; a node in another person's folder becomes that person's. */
function relocate({ world, user }: DavRequest, { node, share, mounted }: Entry, parent: Entry, path: string): void {
  if (share !== undefined && mounted) {
    share.targets.set(user, path)
    return
  }
  markChanged(world, node)
  detach(node)
  setOwner(node, parent.node.owner)
  attach(parent.node, node, nameOf(path))
  markChanged(world, node)
}

function setOwner(node: FileNode, owner: string): void {
  node.owner = owner
  for (const child of node.children.values()) setOwner(child, owner)
}

function duplicate(world: World, node: FileNode, owner: string): FileNode {
  const copiedNode = createNode({ id: world.nextId(), owner, folder: node.folder, name: node.name, mtime: node.mtime })
  copiedNode.content = node.content
  copiedNode.uploaded = seconds(world)
  copiedNode.checksum = node.checksum
  if (!node.folder) copiedNode.etag = node.etag
  for (const child of node.children.values()) attach(copiedNode, duplicate(world, child, owner), child.name)
  return copiedNode
}
