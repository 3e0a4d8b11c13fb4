// Files without HTTP, for other areas, seeds and tests: written, read and removed as their owner would.

import type { World } from "../world.ts"
import { decodePath, folderOf, nameOf } from "./names.ts"
import { type FileNode, write } from "./node.ts"
import { type Entry, homeOf, isMissing, markChanged, seconds, viewOf } from "./store.ts"
import { addFile, addFolder, moveToTrash } from "./writing.ts"

export interface Files {
  /** Creates missing parent folders; existing content becomes a version. */
  put(user: string, path: string, content: string | Uint8Array): StoredFile
  mkdir(user: string, path: string): StoredFile
  get(user: string, path: string): StoredFile | undefined
  /** Moves the file into the trash. Does nothing when it does not exist. */
  remove(user: string, path: string): void
}

export interface StoredFile {
  readonly id: number
  readonly etag: string
  readonly content: Uint8Array
  readonly text: string
}

export function filesOf(world: World): Files {
  const find = (user: string, path: string): Entry | undefined => {
    const entry = viewOf(world, user).entryAt(clean(path))
    return isMissing(entry) ? undefined : entry
  }
  const folder = (user: string, path: string): FileNode => {
    if (path === "/") return homeOf(world, user)
    return find(user, path)?.node ?? addFolder(world, folder(user, folderOf(path)), nameOf(path))
  }
  return {
    put(user, path, content) {
      const cleanPath = clean(path)
      const node = find(user, cleanPath)?.node ?? addFile(world, folder(user, folderOf(cleanPath)), nameOf(cleanPath))
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
      write(node, bytes, { now: seconds(world), author: user })
      markChanged(world, node)
      return toStored(node)
    },
    mkdir: (user, path) => toStored(folder(user, clean(path))),
    get(user, path) {
      const entry = find(user, path)
      return entry === undefined ? undefined : toStored(entry.node)
    },
    remove(user, path) {
      const entry = find(user, path)
      if (entry !== undefined) moveToTrash(world, entry, user)
    },
  }
}

function clean(path: string): string {
  return decodePath(encodeURIComponent(path)) ?? "/"
}

function toStored({ id, etag, content }: FileNode): StoredFile {
  return { id, etag, content, text: new TextDecoder().decode(content) }
}
