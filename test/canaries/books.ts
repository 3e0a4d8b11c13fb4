// What all processes of this run have written down so far.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Canary, CanaryKind, Finding, Place } from "./kinds.ts"
import { kinds } from "./kinds.ts"
import { type Book, separators } from "./note.ts"
import { createSearch, type Search } from "./search.ts"

interface Known {
  readonly search: Search
  /** How much of each book was read. */
  readonly read: Map<string, number>
}

const searches = new Map<string, Known>()

/** Knows every secret that was noted until now. */
export function openSearch(folder: string): Search {
  const known = searches.get(folder) ?? { search: createSearch(), read: new Map<string, number>() }
  searches.set(folder, known)
  for (const [name, bytes] of readBooks(folder, "secrets")) {
    const from = known.read.get(name) ?? 0
    const end = bytes.lastIndexOf("\n") + 1
    if (end <= from) continue
    known.read.set(name, end)
    for (const line of bytes.toString("utf8", from, end - 1).split("\n")) known.search.add(toCanary(line))
  }
  return known.search
}

function toCanary(line: string): Canary {
  const [kind, value] = JSON.parse(line) as [CanaryKind, string]
  if (!Object.hasOwn(kinds, kind)) throw new Error(`There is no kind of secret called ${kind}.`)
  return { kind, value }
}

export interface Heard {
  readonly bytes: Buffer
  /** What was said at this position, and where. */
  entryAt(at: number): { readonly place: Place; readonly where: string }
}

export function readHeard(folder: string): readonly Heard[] {
  return readBooks(folder, "heard").map(([, bytes]) => ({
    bytes,
    entryAt(at) {
      const from = bytes.lastIndexOf(separators.entry, at) + 1
      const [place = "", where = ""] = bytes.toString("utf8", from, at).split(separators.part)
      return { place: place as Place, where }
    },
  }))
}

export function readFindings(folder: string): readonly Finding[] {
  return readBooks(folder, "findings").flatMap(([, bytes]) =>
    bytes
      .toString()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Finding),
  )
}

function readBooks(folder: string, book: Book): readonly (readonly [string, Buffer])[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(`.${book}`))
    .map((name) => [name, readFileSync(join(folder, name))] as const)
}
