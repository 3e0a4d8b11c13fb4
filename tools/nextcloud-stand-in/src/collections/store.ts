// Items in a folder, as calendars and address books have them: each with a name and an etag. Changes are counted, so
// that clients notice them.

import { createHash } from "node:crypto"
import type { World } from "../world.ts"

export interface Item {
  readonly name: string
  readonly text: string
  /** The etag without quotes. */
  readonly etag: string
  /** The time of the last change, in milliseconds. */
  readonly modified: number
  readonly uid: string
}

export interface Collection {
  readonly items: Map<string, Item>
  /** The number of the latest change. */
  token: number
}

export function createCollection(): Collection {
  return { items: new Map(), token: 1 }
}

export function storeItem(world: World, collection: Collection, item: Pick<Item, "name" | "text" | "uid">): Item {
  const storedItem = { ...item, etag: md5(item.text), modified: world.now() }
  collection.items.set(item.name, storedItem)
  touch(collection)
  return storedItem
}

export function removeItem(collection: Collection, name: string): boolean {
  if (!collection.items.delete(name)) return false
  touch(collection)
  return true
}

/** Counts a change of an item or of the collection itself. */
export function touch(collection: Collection): void {
  collection.token += 1
}

export function hasUid(collection: Collection, uid: string, except: string): boolean {
  return [...collection.items.values()].some((item) => item.uid === uid && item.name !== except)
}

export function md5(text: string): string {
  return createHash("md5").update(text).digest("hex")
}
