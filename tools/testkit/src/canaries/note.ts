// Notes the secrets of a test run when they are created, and the texts that the run writes. Both go to files in a
// folder of the run, so that every process can add to them. Without the folder, nothing is noted.

import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { threadId } from "node:worker_threads"
import type { CanaryKind, Channel, Finding } from "./kinds.ts"

/** The folder of this run, set by the reporter. */
export const folderVariable = "TEST_CANARIES"

/** The shortest secret. Shorter texts also occur by chance. */
export const shortest = 16

/** The separators between entries, and between an entry's channel, source and text. */
export const separators = { entry: "\u001e", part: "\u001f" }

export type NoteKind = "secrets" | "heard" | "findings"

const written = new Set<string>()

/** Notes a secret. From now on, the value may occur only in the channels of its kind. */
export function noteCanary(kind: CanaryKind, value: unknown): void {
  if (typeof value === "string" && value.length >= shortest) write("secrets", `${JSON.stringify([kind, value])}\n`)
}

/** Notes a text that the run has written to a channel. `where` names its source in a report. */
export function hear(channel: Channel, where: string, words: string): void {
  const { entry, part } = separators
  if (words.length >= shortest) write("heard", `${entry}${channel}${part}${where}${part}${words}`)
}

export function noteFinding(finding: Finding): void {
  write("findings", `${JSON.stringify(finding)}\n`)
}

/** Adds a line to the note files of this process and thread, unless the line was written before. */
function write(kind: NoteKind, line: string): void {
  const folder = process.env[folderVariable]
  if (folder === undefined || written.has(line)) return
  // Remembers only short lines, because long lines are hardly ever repeated.
  if (line.length < 2_000) written.add(line)
  try {
    appendFileSync(join(folder, `${process.pid}-${threadId}.${kind}`), line)
  } catch {
    // The run has ended, and its folder was removed.
  }
}
