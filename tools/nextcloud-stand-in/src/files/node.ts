// A file or folder, and its changes: written, moved, copied. A change gives new etags to all parents.

import { createHash, randomBytes } from "node:crypto"
import { typeOf } from "./names.ts"

export interface Version {
  /** The version's name: a time in seconds, unique among the versions of a file. */
  readonly stamp: number
  readonly content: Uint8Array
  readonly etag: string
  readonly author: string
  label: string
}

export interface FileNode {
  readonly id: number
  readonly folder: boolean
  owner: string
  name: string
  parent: FileNode | undefined
  content: Uint8Array
  etag: string
  /** Modification, creation and upload time in seconds; 0 is unknown. */
  mtime: number
  created: number
  uploaded: number
  checksum: string
  author: string
  readonly children: Map<string, FileNode>
  /** Custom properties, by `{space}name`. */
  readonly custom: Map<string, string>
  readonly favouriteOf: Set<string>
  readonly tags: Set<number>
  versions: Version[]
}

export interface NewNode {
  readonly id: number
  readonly owner: string
  readonly folder: boolean
  readonly name: string
  readonly mtime: number
}

export function createNode(newNode: NewNode): FileNode {
  return {
    ...newNode,
    parent: undefined,
    content: new Uint8Array(),
    etag: newNode.folder ? shortEtag() : longEtag(),
    created: 0,
    uploaded: 0,
    checksum: "",
    author: newNode.owner,
    children: new Map(),
    custom: new Map(),
    favouriteOf: new Set(),
    tags: new Set(),
    versions: [],
  }
}

/** A new etag in the short form, which the server uses for folders. */
export function shortEtag(): string {
  return randomBytes(7).toString("hex").slice(0, 13)
}

export function longEtag(): string {
  return createHash("md5").update(randomBytes(16)).digest("hex")
}

export function sizeOf(node: FileNode): number {
  if (!node.folder) return node.content.byteLength
  return [...node.children.values()].reduce((sum, child) => sum + sizeOf(child), 0)
}

export function mimeOf(node: FileNode): string {
  return node.folder ? "httpd/unix-directory" : typeOf(node.name)
}

export function hasPreview(node: FileNode): boolean {
  return !node.folder && /^(image|text|application\/pdf)/.test(mimeOf(node))
}

/** The node's path in the owner's home: "/" for the home itself. */
export function pathOf(node: FileNode): string {
  if (node.parent === undefined) return "/"
  return join(pathOf(node.parent), node.name)
}

export function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`
}

export function isWithin(node: FileNode, folder: FileNode): boolean {
  return node === folder || (node.parent !== undefined && isWithin(node.parent, folder))
}

/** Gives every parent folder a new etag, and the nearest one a new time. */
export function touchAncestors(node: FileNode, now: number): readonly FileNode[] {
  const ancestors: FileNode[] = []
  for (let folder = node.parent; folder !== undefined; folder = folder.parent) {
    folder.etag = shortEtag()
    if (ancestors.length === 0) folder.mtime = now
    ancestors.push(folder)
  }
  return ancestors
}

export function attach(folder: FileNode, node: FileNode, name: string): void {
  node.name = name
  node.parent = folder
  folder.children.set(name, node)
}

export function detach(node: FileNode): void {
  node.parent?.children.delete(node.name)
  node.parent = undefined
}

/** The node and all nodes below it, depth first. */
export function* everyNode(node: FileNode): Generator<FileNode> {
  yield node
  for (const child of node.children.values()) yield* everyNode(child)
}

export interface WriteOptions {
  readonly now: number
  readonly author: string
  readonly mtime?: number
  readonly created?: number
  readonly checksum?: string
}

/** Writes new content; the old content becomes a version. */
export function write(node: FileNode, content: Uint8Array, options: WriteOptions): void {
  const hadContent = node.uploaded !== 0
  // Versions are named by their time in seconds, so another write within the same second gets the next second.
  const mtime = options.mtime ?? (hadContent ? Math.max(options.now, node.mtime + 1) : options.now)
  if (hadContent && node.content.byteLength > 0) keepVersion(node, mtime)
  node.content = content
  node.etag = longEtag()
  node.mtime = mtime
  node.uploaded = options.now
  node.author = options.author
  node.checksum = options.checksum ?? ""
  if (options.created !== undefined) node.created = options.created
}

function keepVersion(node: FileNode, newTime: number): void {
  let stamp = node.mtime
  while (stamp === newTime || node.versions.some((version) => version.stamp === stamp)) stamp -= 1
  node.versions.push({ stamp, content: node.content, etag: node.etag, author: node.author, label: "" })
}
