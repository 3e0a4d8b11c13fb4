// Which notes a list holds: by category, leaving out what is older than a time, and in chunks that a cursor continues.
// Notes that are left out stand there with nothing but their id, at the end of the last chunk.

import type { Note } from "./book.ts"

export interface Chunk {
  readonly full: readonly Note[]
  /** Stand there by id only. */
  readonly pruned: readonly Note[]
  /** Undefined in the last chunk. */
  readonly cursor: string | undefined
  readonly pending: number
  /** Seconds: what a client sends as pruneBefore the next time. */
  readonly lastUpdate: number
}

interface Cursor {
  readonly started: number
  readonly lastUpdate: number
  readonly id: number
}

export function chunkOf(all: readonly Note[], query: URLSearchParams, now: number): Chunk {
  const category = query.get("category")
  const notes = category === null ? all : all.filter((note) => note.category === category)
  const cursor = toCursor(query.get("chunkCursor"))
  const pruneBefore = Number(query.get("pruneBefore") ?? 0) || 0
  const size = Number(query.get("chunkSize") ?? 0) || 0
  const started = cursor?.started ?? now
  const open = notes
    .filter((note) => note.lastUpdate >= pruneBefore && (cursor === undefined || isAfter(note, cursor)))
    .sort((one, other) => one.lastUpdate - other.lastUpdate || one.id - other.id)
  const full = size > 0 ? open.slice(0, size) : open
  const pending = open.length - full.length
  const last = full.at(-1)
  if (pending > 0 && last !== undefined) {
    return { full, pruned: [], cursor: `${started}-${last.lastUpdate}-${last.id}`, pending, lastUpdate: started }
  }
  return { full, pruned: notes.filter((note) => !full.includes(note)), cursor: undefined, pending, lastUpdate: started }
}

/** One that cannot be read counts for none. */
function toCursor(text: string | null): Cursor | undefined {
  const [, started, lastUpdate, id] = /^(\d+)-(\d+)-(\d+)$/.exec(text ?? "") ?? []
  if (started === undefined) return undefined
  return { started: Number(started), lastUpdate: Number(lastUpdate), id: Number(id) }
}

function isAfter(note: Note, cursor: Cursor): boolean {
  return note.lastUpdate > cursor.lastUpdate || (note.lastUpdate === cursor.lastUpdate && note.id > cursor.id)
}
