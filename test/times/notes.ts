// The notes of a run of `npm run test:times`, one line of JSON each. TEST_TIMES has the folder of the file.

import { appendFileSync, readFileSync } from "node:fs"
import type { TreeTimes } from "./processes.ts"

export interface FileNote extends TreeTimes {
  readonly at: "begin" | "end"
  readonly file: string
  readonly pid: number
  /** Milliseconds. */
  readonly clock: number
}

/** Seconds of processor time that belong to no file. */
export interface RunNote {
  readonly at: "run"
  readonly runner: number
  readonly postgres: number
}

export type Note = FileNote | RunNote

export const notesVariable = "TEST_TIMES"

export function writeNote(note: Note): void {
  const path = process.env[notesVariable]
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(note)}\n`)
}

export const readNotes = (path: string): readonly Note[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Note)
