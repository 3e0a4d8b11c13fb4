// The trash bin: lists deleted files newest first, and restores them to their folder. Restoring under a new name when
// the old one is taken, and the content of deleted folders, follow the documented API, not recordings.

import type { Call, Reply } from "../area.ts"
import type { World } from "../world.ts"
import { nc, oc } from "../xml.ts"
import * as answer from "./answers.ts"
import { collection, davName, type Item, listing, value } from "./listing.ts"
import { folderOf, nameOf } from "./names.ts"
import { attach, type FileNode, hasPreview, mimeOf, sizeOf } from "./node.ts"
import { displayName, httpDate, instanceFileId } from "./properties.ts"
import { content } from "./reading.ts"
import { homeOf, isMissing, markChanged, type Trashed, trashOf, viewOf } from "./store.ts"

/** Answers for a path below the user's trash bin: `/trash/name.d1794726400/inside`. */
export function trashReply(call: Call, user: string, path: string): Reply {
  const base = `/remote.php/dav/trashbin/${user}`
  const trash = trashOf(call.world, user)
  const [top, entry, ...innerNames] = path.slice(1).split("/")
  if (top === "" && call.method === "PROPFIND") {
    return listing(call, collection(`${base}/`), () => [collection(`${base}/trash/`), collection(`${base}/restore/`)])
  }
  if (top !== "trash") return answer.notFound("")
  if (entry === undefined) return answerForTrash(call, trash, `${base}/trash/`)
  const trashedNode = trash.find((one) => entryName(one) === entry)
  const node = innerNames.reduce<FileNode | undefined>((at, name) => at?.children.get(name), trashedNode?.node)
  if (trashedNode === undefined || node === undefined) return answer.notFound("")
  return answerForItem(call, user, {
    trashed: trashedNode,
    node,
    path: `${base}${path}`,
    isTop: innerNames.length === 0,
  })
}

function answerForTrash(call: Call, trash: Trashed[], path: string): Reply {
  if (call.method === "DELETE") {
    trash.splice(0)
    return answer.emptyReply(204)
  }
  if (call.method !== "PROPFIND") return answer.notImplemented(call.method)
  const newestFirst = trash.toSorted((a, b) => b.at - a.at)
  return listing(call, collection(path), () =>
    newestFirst.map((trashed) => item(call.world, trashed, trashed.node, `${path}${entryName(trashed)}`)),
  )
}

interface TrashTarget {
  readonly trashed: Trashed
  readonly node: FileNode
  readonly path: string
  readonly isTop: boolean
}

function answerForItem(call: Call, user: string, { trashed, node, path, isTop }: TrashTarget): Reply {
  const trash = trashOf(call.world, user)
  if (call.method === "PROPFIND") {
    const children = [...node.children.values()]
    return listing(call, item(call.world, trashed, node, path), () =>
      children.map((child) => item(call.world, trashed, child, `${path}/${child.name}`)),
    )
  }
  if (call.method === "GET" && !node.folder) return content(call.headers, node)
  if (!isTop) return answer.forbidden()
  if (call.method !== "DELETE" && call.method !== "MOVE") return answer.notImplemented(call.method)
  if (call.method === "MOVE" && !/\/trashbin\/[^/]+\/restore\//.test(call.headers.get("destination") ?? ""))
    return answer.forbidden()
  trash.splice(trash.indexOf(trashed), 1)
  if (call.method === "DELETE") return answer.emptyReply(204)
  restore(call.world, user, trashed)
  return answer.emptyReply(201)
}

/** Restores a node to its original folder, or to the home when the folder no longer exists. */
function restore(world: World, user: string, { node, from }: Trashed): void {
  const parent = viewOf(world, user).entryAt(folderOf(from))
  const folder = isMissing(parent) || !parent.node.folder ? homeOf(world, user) : parent.node
  attach(folder, node, freeName(folder, nameOf(from)))
  markChanged(world, node)
}

function freeName(folder: FileNode, name: string): string {
  const dot = name.lastIndexOf(".")
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""]
  let candidate = name
  for (let count = 1; folder.children.has(candidate); count += 1) {
    candidate = `${stem} (restored${count === 1 ? "" : ` ${count}`})${extension}`
  }
  return candidate
}

function entryName({ node, at }: Trashed): string {
  return `${node.name}.d${at}`
}

function item(world: World, { at, from, by, node: top }: Trashed, node: FileNode, path: string): Item {
  const defaultProperties = ["getlastmodified", "getcontentlength", "resourcetype", "getetag", "getcontenttype"].map(
    davName,
  )
  const location = node === top ? from.slice(1) : `${from.slice(1)}/${node.name}`
  return {
    path: node.folder ? `${path}/` : path,
    defaultProperties,
    properties: {
      [davName("getlastmodified")]: value(httpDate(at)),
      [davName("getcontentlength")]: node.folder ? undefined : value(sizeOf(node)),
      [davName("resourcetype")]: node.folder ? { xml: "<d:collection/>" } : value(""),
      [davName("getetag")]: value(node.folder ? at : ""),
      [davName("getcontenttype")]: node.folder ? undefined : value(mimeOf(node)),
      [davName("displayname")]: value(node.name),
      [`{${oc}}id` as const]: value(instanceFileId(node.id)),
      [`{${oc}}fileid` as const]: value(node.id),
      [`{${oc}}size` as const]: value(sizeOf(node)),
      [`{${oc}}permissions` as const]: value("GD"),
      [`{${nc}}has-preview` as const]: value(hasPreview(node)),
      [`{${nc}}trashbin-filename` as const]: value(node.name),
      [`{${nc}}trashbin-original-location` as const]: value(location),
      [`{${nc}}trashbin-deletion-time` as const]: value(at),
      [`{${nc}}trashbin-title` as const]: value(node.name),
      [`{${nc}}trashbin-deleted-by-id` as const]: value(by),
      [`{${nc}}trashbin-deleted-by-display-name` as const]: value(displayName(world, by)),
    },
  }
}
