// Reads the secrets and texts that all processes of this run have noted so far.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Canary, CanaryKind, Channel, Finding } from "./kinds.ts"
import { kinds } from "./kinds.ts"
import { type NoteKind, separators } from "./note.ts"
import { createSearch, type Search } from "./search.ts"

interface NoteSearch {
  readonly search: Search
  /** How much of each note file was read. */
  readonly read: Map<string, number>
}

const searches = new Map<string, NoteSearch>()

/** Opens a search for every secret that was noted so far. */
export function openSearch(folder: string): Search {
  const noteSearch = searches.get(folder) ?? { search: createSearch(), read: new Map<string, number>() }
  searches.set(folder, noteSearch)
  for (const [name, bytes] of readNoteFiles(folder, "secrets")) {
    const from = noteSearch.read.get(name) ?? 0
    const end = bytes.lastIndexOf("\n") + 1
    if (end <= from) continue
    noteSearch.read.set(name, end)
    for (const line of bytes.toString("utf8", from, end - 1).split("\n")) noteSearch.search.add(toCanary(line))
  }
  return noteSearch.search
}

function toCanary(line: string): Canary {
  const [kind, value] = JSON.parse(line) as [CanaryKind, string]
  if (!Object.hasOwn(kinds, kind)) throw new Error(`There is no kind of secret called ${kind}.`)
  return { kind, value }
}

export interface NotedOutput {
  readonly bytes: Buffer
  /** The channel and source of the text at this position. */
  entryAt(at: number): { readonly channel: Channel; readonly where: string }
}

export function readHeard(folder: string): readonly NotedOutput[] {
  return readNoteFiles(folder, "heard").map(([, bytes]) => ({
    bytes,
    entryAt(at) {
      const from = bytes.lastIndexOf(separators.entry, at) + 1
      const [channel = "", where = ""] = bytes.toString("utf8", from, at).split(separators.part)
      return { channel: channel as Channel, where }
    },
  }))
}

export function readFindings(folder: string): readonly Finding[] {
  return readNoteFiles(folder, "findings").flatMap(([, bytes]) =>
    bytes
      .toString()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Finding),
  )
}

function readNoteFiles(folder: string, kind: NoteKind): readonly (readonly [string, Buffer])[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(`.${kind}`))
    .map((name) => [name, readFileSync(join(folder, name))] as const)
}
