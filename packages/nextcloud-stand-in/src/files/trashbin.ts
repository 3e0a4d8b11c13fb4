// The trash bin: lists deleted files newest first, and restores them to their folder. Restoring under a new name when
// the old one is taken, and the content of deleted folders, follow the documented API, not recordings.

import type { Call, Reply } from "../area.ts"
import type { World } from "../world.ts"
import { nc, oc } from "../xml.ts"
import * as answer from "./answers.ts"
import { collection, d, type Item, listing, value } from "./listing.ts"
import { folderOf, nameOf } from "./names.ts"
import { attach, type FileNode, hasPreview, mimeOf, sizeOf } from "./node.ts"
import { displayName, httpDate, oneId } from "./properties.ts"
import { content } from "./reading.ts"
import { changed, homeOf, isMissing, type Trashed, trashOf, viewOf } from "./store.ts"

/** `path` is below the bin: `/trash/name.d1794726400/inside`. */
export function trashReply(call: Call, user: string, path: string): Reply {
  const base = `/remote.php/dav/trashbin/${user}`
  const trash = trashOf(call.world, user)
  const [top, entry, ...inside] = path.slice(1).split("/")
  if (top === "" && call.method === "PROPFIND") {
    return listing(call, collection(`${base}/`), () => [collection(`${base}/trash/`), collection(`${base}/restore/`)])
  }
  if (top !== "trash") return answer.notFound("")
  if (entry === undefined) return whole(call, trash, `${base}/trash/`)
  const trashed = trash.find((one) => entryName(one) === entry)
  const node = inside.reduce<FileNode | undefined>((at, name) => at?.children.get(name), trashed?.node)
  if (trashed === undefined || node === undefined) return answer.notFound("")
  return one(call, user, { trashed, node, path: `${base}${path}`, isTop: inside.length === 0 })
}

function whole(call: Call, trash: Trashed[], path: string): Reply {
  if (call.method === "DELETE") {
    trash.splice(0)
    return answer.done(204)
  }
  if (call.method !== "PROPFIND") return answer.notImplemented(call.method)
  const newest = trash.toSorted((a, b) => b.at - a.at)
  return listing(call, collection(path), () =>
    newest.map((trashed) => item(call.world, trashed, trashed.node, `${path}${entryName(trashed)}`)),
  )
}

interface TrashTarget {
  readonly trashed: Trashed
  readonly node: FileNode
  readonly path: string
  readonly isTop: boolean
}

function one(call: Call, user: string, { trashed, node, path, isTop }: TrashTarget): Reply {
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
  if (call.method === "DELETE") return answer.done(204)
  restore(call.world, user, trashed)
  return answer.done(201)
}

/** Restores a node to its original folder, or to the home when the folder no longer exists. */
function restore(world: World, user: string, { node, from }: Trashed): void {
  const parent = viewOf(world, user).at(folderOf(from))
  const folder = isMissing(parent) || !parent.node.folder ? homeOf(world, user) : parent.node
  attach(folder, node, freeName(folder, nameOf(from)))
  changed(world, node)
}

function freeName(folder: FileNode, name: string): string {
  const dot = name.lastIndexOf(".")
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""]
  let free = name
  for (let count = 1; folder.children.has(free); count += 1) {
    free = `${stem} (restored${count === 1 ? "" : ` ${count}`})${ending}`
  }
  return free
}

function entryName({ node, at }: Trashed): string {
  return `${node.name}.d${at}`
}

function item(world: World, { at, from, by, node: top }: Trashed, node: FileNode, path: string): Item {
  const usual = ["getlastmodified", "getcontentlength", "resourcetype", "getetag", "getcontenttype"].map(d)
  const location = node === top ? from.slice(1) : `${from.slice(1)}/${node.name}`
  return {
    path: node.folder ? `${path}/` : path,
    usual,
    properties: {
      [d("getlastmodified")]: value(httpDate(at)),
      [d("getcontentlength")]: node.folder ? undefined : value(sizeOf(node)),
      [d("resourcetype")]: node.folder ? { xml: "<d:collection/>" } : value(""),
      [d("getetag")]: value(node.folder ? at : ""),
      [d("getcontenttype")]: node.folder ? undefined : value(mimeOf(node)),
      [d("displayname")]: value(node.name),
      [`{${oc}}id` as const]: value(oneId(node.id)),
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
