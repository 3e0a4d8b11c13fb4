// Writes an answer for the script: a rename makes the complete file appear, and then the script is woken.

import { randomBytes } from "node:crypto"
import { closeSync, constants, fstatSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs"
import type { Answer } from "../answer.ts"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf } from "./call-folder.ts"
import { isErrno } from "./small-file.ts"

export function writeResponse(folder: CallFolder, slot: Slot, answer: Answer): void {
  const path = fileOf(folder, slot, "response")
  // A random name, because a pipe or link that the script puts there would block the server or redirect the write.
  const draftPath = folder.file(`answer.${randomBytes(8).toString("hex")}`)
  writeFileSync(draftPath, JSON.stringify(answer), { mode: 0o600, flag: "wx" })
  renameSync(draftPath, path)
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
