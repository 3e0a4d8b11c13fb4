// Where secrets of a test run are noted as they come into being, and where what a run says is written down. Both are
// files in a folder of this run, so that every worker and every process can add to them; without one, nothing happens.

import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { threadId } from "node:worker_threads"
import type { CanaryKind, Channel, Finding } from "./kinds.ts"

/** The folder of this run, set by the reporter. */
export const folderVariable = "TEST_CANARIES"

/** Shorter ones would be found where they are not. */
export const shortest = 16

/** Between what was heard: channel, where, words. */
export const separators = { entry: "\u001e", part: "\u001f" }

export type NoteKind = "secrets" | "heard" | "findings"

const written = new Set<string>()

/** This is a secret: from now on it must be seen nowhere but where its kind may be. */
export function noteCanary(kind: CanaryKind, value: unknown): void {
  if (typeof value === "string" && value.length >= shortest) write("secrets", `${JSON.stringify([kind, value])}\n`)
}

/** Notes what was said. `where` helps to find it. */
export function hear(channel: Channel, where: string, words: string): void {
  const { entry, part } = separators
  if (words.length >= shortest) write("heard", `${entry}${channel}${part}${where}${part}${words}`)
}

export function noteFinding(finding: Finding): void {
  write("findings", `${JSON.stringify(finding)}\n`)
}

/** Each process and thread has note files of its own; what stands in one already is not written again. */
function write(kind: NoteKind, line: string): void {
  const folder = process.env[folderVariable]
  if (folder === undefined || written.has(line)) return
  // What is large is hardly ever said twice.
  if (line.length < 2_000) written.add(line)
  try {
    appendFileSync(join(folder, `${process.pid}-${threadId}.${kind}`), line)
  } catch {
    // The run is over, and its folder gone.
  }
}
