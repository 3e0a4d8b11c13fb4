// Hands an answer to the script: the file appears whole, by renaming it, and then the script is woken.

import { closeSync, constants, lstatSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs"
import type { Answer } from "../answer.ts"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf } from "./call-folder.ts"
import { isMissing } from "./requests.ts"

export function writeResponse(folder: CallFolder, slot: Slot, answer: Answer): void {
  const path = fileOf(folder, slot, "response")
  const draft = `${path}.tmp`
  writeFileSync(draft, JSON.stringify(answer), { mode: 0o600 })
  renameSync(draft, path)
  wake(fileOf(folder, slot, "wake"))
}

/** Writes into the script's FIFO without waiting for a reader: a script that has gone on does not need it. */
function wake(path: string): void {
  try {
    if (!lstatSync(path).isFIFO()) return
    const fifo = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    try {
      writeSync(fifo, "\n")
    } finally {
      closeSync(fifo)
    }
  } catch (error) {
    if (!isMissing(error) && !hasNoReader(error)) throw error
  }
}

const hasNoReader = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENXIO" || error.code === "EPIPE")
