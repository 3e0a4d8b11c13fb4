// A folder as a zip archive, nothing compressed.

import { crc32 } from "node:zlib"
import type { FileNode } from "./node.ts"

interface Entry {
  readonly name: Buffer
  readonly content: Uint8Array
}

export function zipOf(folder: FileNode): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entriesOf(folder, folder.name)) {
    const local = Buffer.concat([signed(0x04034b50), version, common(entry), entry.name, entry.content])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([signed(0x02014b50), version, version, common(entry), place, entry.name]))
    parts.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  return Buffer.concat([...parts, list, ending(directory.length, list.length, at)])
}

function entriesOf(node: FileNode, path: string): readonly Entry[] {
  if (!node.folder) return [{ name: Buffer.from(path), content: node.content }]
  const inside = [...node.children.values()].flatMap((child) => entriesOf(child, `${path}/${child.name}`))
  return [{ name: Buffer.from(`${path}/`), content: new Uint8Array() }, ...inside]
}

const version = Buffer.from([20, 0])

function signed(signature: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return bytes
}

/** What stands in both headers, from the flags (names are UTF-8) to the lengths. */
function common({ name, content }: Entry): Buffer {
  const bytes = Buffer.alloc(24)
  bytes.writeUInt16LE(0x0800, 0)
  bytes.writeUInt32LE(crc32(content), 8)
  bytes.writeUInt32LE(content.byteLength, 12)
  bytes.writeUInt32LE(content.byteLength, 16)
  bytes.writeUInt16LE(name.length, 20)
  return bytes
}

function ending(count: number, length: number, at: number): Buffer {
  const bytes = Buffer.alloc(18)
  bytes.writeUInt16LE(count, 4)
  bytes.writeUInt16LE(count, 6)
  bytes.writeUInt32LE(length, 8)
  bytes.writeUInt32LE(at, 12)
  return Buffer.concat([signed(0x06054b50), bytes])
}
