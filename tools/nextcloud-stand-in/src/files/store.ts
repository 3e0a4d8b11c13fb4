// The state of the files area and access to it: homes, and what others share into them.

import type { World } from "../world.ts"
import { folderOf, nameOf } from "./names.ts"
import { createNode, everyNode, type FileNode, isWithin, join, shortEtag, sizeOf, touchAncestors } from "./node.ts"

export interface Trashed {
  readonly node: FileNode
  /** The time of the deletion in seconds, unique among entries with the same name. */
  readonly at: number
  readonly from: string
  readonly by: string
}

export const shareTypes = { user: 0, group: 1, link: 3, email: 4 } as const

export interface Share {
  readonly id: number
  readonly type: number
  readonly node: FileNode
  readonly owner: string
  readonly with: string
  readonly token: string | undefined
  readonly since: number
  permissions: number
  password: string | undefined
  expiration: string | undefined
  note: string
  label: string
  hideDownload: boolean
  /** The path in the files of each recipient, by user. A recipient who removed the share is absent. */
  readonly targets: Map<string, string>
}

export interface Comment {
  readonly id: number
  readonly fileId: number
  readonly actor: string
  readonly at: number
  message: string
}

export interface Tag {
  readonly id: number
  name: string
  visible: boolean
  assignable: boolean
}

export interface Upload {
  readonly since: number
  readonly chunks: Map<string, { readonly content: Uint8Array; readonly at: number; readonly etag: string }>
}

export interface FilesState {
  readonly homes: Map<string, FileNode>
  readonly trash: Map<string, Trashed[]>
  readonly shares: Share[]
  readonly comments: Comment[]
  readonly tags: Tag[]
  /** Unfinished uploads by user and name. */
  readonly uploads: Map<string, Upload>
}

export const rights = { read: 1, update: 2, create: 4, delete: 8, share: 16, file: 27, folder: 31 } as const

/** A file or folder as one user sees it. */
export interface Entry {
  readonly node: FileNode
  readonly path: string
  readonly permissions: number
  /** The share that makes the node visible; undefined for the user's own nodes. */
  readonly share: Share | undefined
  /** Whether the node is the shared one itself, not something inside it. */
  readonly mounted: boolean
}

/** The result for a path that does not exist. `missing` is the path of its first missing part. */
export interface Missing {
  readonly missing: string
}

export interface View {
  /** The user whose view it is. */
  readonly user: string
  entryAt(path: string): Entry | Missing
  childrenOf(entry: Entry): readonly Entry[]
}

export function stateOf(world: World): FilesState {
  return world.state("files", () => ({
    homes: new Map(),
    trash: new Map(),
    shares: [],
    comments: [],
    tags: [],
    uploads: new Map(),
  }))
}

/** The bytes that a user's files use. */
export function usedBy(world: World, user: string): number {
  return sizeOf(homeOf(world, user))
}

export function seconds(world: World): number {
  return Math.floor(world.now() / 1000)
}

export function homeOf(world: World, user: string): FileNode {
  const { homes } = stateOf(world)
  const existing = homes.get(user)
  if (existing !== undefined) return existing
  const newHome = { id: world.nextId(), owner: user, folder: true, name: user, mtime: seconds(world) }
  const home = createNode(newHome)
  homes.set(user, home)
  return home
}

export function trashOf(world: World, user: string): Trashed[] {
  const { trash } = stateOf(world)
  const existing = trash.get(user) ?? []
  trash.set(user, existing)
  return existing
}

export function isMissing(target: Entry | Missing): target is Missing {
  return "missing" in target
}

/** What a user sees: their home, and what is shared with them. */
export function viewOf(world: World, user: string): View {
  const mounts = (): readonly Entry[] => mountsOf(world, user)
  return viewFrom(user, { ...asEntry(homeOf(world, user)), path: "/" }, mounts)
}

/** Finds a node by its id in the user's home and in what is shared with the user. */
export function entryById(world: World, user: string, id: number): Entry | undefined {
  for (const root of [{ ...asEntry(homeOf(world, user)), path: "/" }, ...mountsOf(world, user)]) {
    const node = [...everyNode(root.node)].find((one) => one.id === id)
    if (node !== undefined) return entryBelow(root, node)
  }
  return undefined
}

/** Every visible node at or below this one. */
export function everyEntry(view: View, entry: Entry): readonly Entry[] {
  return [entry, ...view.childrenOf(entry).flatMap((child) => everyEntry(view, child))]
}

/** To call after a change of a node: gives its parents new etags, and the homes of those with whom it is shared. */
export function markChanged(world: World, node: FileNode): void {
  touchAncestors(node, seconds(world))
  for (const share of liveShares(world)) {
    if (!isWithin(node, share.node)) continue
    for (const user of share.targets.keys()) homeOf(world, user).etag = shortEtag()
  }
}

export function liveShares(world: World): readonly Share[] {
  const today = new Date(world.now()).toISOString().slice(0, 10)
  return stateOf(world).shares.filter(({ expiration }) => expiration === undefined || expiration >= today)
}

/** A recipient removes the share. A share with one person ends then; one with a group continues for the others. */
export function leaveShare(world: World, share: Share, user: string): void {
  share.targets.delete(user)
  const { shares } = stateOf(world)
  if (share.type === shareTypes.user) shares.splice(shares.indexOf(share), 1)
}

function mountsOf(world: World, user: string): readonly Entry[] {
  return liveShares(world).flatMap((share): Entry[] => {
    const path = share.targets.get(user)
    if (path === undefined || isInTrash(world, share.node)) return []
    return [{ node: share.node, path, permissions: share.permissions, share, mounted: true }]
  })
}

function isInTrash(world: World, node: FileNode): boolean {
  return !isWithin(node, homeOf(world, node.owner))
}

function viewFrom(user: string, root: Entry, mounts: () => readonly Entry[]): View {
  const children = (entry: Entry): readonly Entry[] => {
    const ownEntries = [...entry.node.children.values()].map((node) => childOf(entry, node))
    return [...ownEntries, ...mounts().filter(({ path }) => path !== "/" && folderOf(path) === entry.path)]
  }
  const entryAt = (path: string): Entry | Missing => {
    if (path === "/") return root
    const folder = entryAt(folderOf(path))
    if (isMissing(folder)) return folder
    const ownChild = folder.node.children.get(nameOf(path))
    if (ownChild !== undefined) return childOf(folder, ownChild)
    return mounts().find((mount) => mount.path === path) ?? { missing: `${folder.path}/${nameOf(path)}` }
  }
  return { user, entryAt, childrenOf: (entry) => (entry.node.folder ? children(entry) : []) }
}

function childOf(entry: Entry, node: FileNode): Entry {
  const path = join(entry.path, node.name)
  if (entry.share === undefined) return { ...asEntry(node), path }
  return { node, path, permissions: entry.permissions, share: entry.share, mounted: false }
}

function asEntry(node: FileNode): Omit<Entry, "path"> {
  const permissions = node.folder ? rights.folder : rights.file
  return { node, permissions, share: undefined, mounted: false }
}

function entryBelow(root: Entry, node: FileNode): Entry {
  if (node === root.node || node.parent === undefined) return root
  return childOf(entryBelow(root, node.parent), node)
}
