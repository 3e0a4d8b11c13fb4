// Writes an answer for the script: a rename makes the complete file appear, and then the script is woken.

import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs"
import type { Answer } from "../answer.ts"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf } from "./call-folder.ts"
import { isErrno, writeSmallFile } from "./small-file.ts"

export function writeResponse(folder: CallFolder, slot: Slot, answer: Answer): void {
  writeSmallFile(fileOf(folder, slot, "response"), JSON.stringify(answer))
  wakeScript(fileOf(folder, slot, "wake"))
}

/** Writes into the script's FIFO without waiting for a reader, because the script may have continued already. */
function wakeScript(path: string): void {
  let fifo: number
  try {
    fifo = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    // No FIFO, or one without a reader: the script finds the answer by polling.
    if (isErrno(error, "ENOENT", "ENXIO", "ELOOP", "EISDIR", "EACCES")) return
    throw error
  }
  try {
    if (fstatSync(fifo).isFIFO()) writeSync(fifo, "\n")
  } catch (error) {
    // A full FIFO has already woken its reader.
    if (!isErrno(error, "EPIPE", "EAGAIN")) throw error
  } finally {
    closeSync(fifo)
  }
}
