// Hands an answer to the script: the file appears whole, by renaming it, and then the script is woken.

import { randomBytes } from "node:crypto"
import { closeSync, constants, fstatSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs"
import type { Answer } from "../answer.ts"
import type { CallFolder, Slot } from "./call-folder.ts"
import { fileOf } from "./call-folder.ts"
import { isErrno } from "./small-file.ts"

export function writeResponse(folder: CallFolder, slot: Slot, answer: Answer): void {
  const path = fileOf(folder, slot, "response")
  // A name that the script cannot know: a pipe or a link that waits there would hold the server, or lead it elsewhere.
  const draft = folder.file(`answer.${randomBytes(8).toString("hex")}`)
  writeFileSync(draft, JSON.stringify(answer), { mode: 0o600, flag: "wx" })
  renameSync(draft, path)
  wake(fileOf(folder, slot, "wake"))
}

/** Writes into the script's FIFO without waiting for a reader: a script that has gone on does not need it. */
function wake(path: string): void {
  let fifo: number
  try {
    fifo = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    // No such file, a FIFO without a reader, or none that can be written: the script looks for the answer itself.
    if (isErrno(error, "ENOENT", "ENXIO", "ELOOP", "EISDIR", "EACCES")) return
    throw error
  }
  try {
    if (fstatSync(fifo).isFIFO()) writeSync(fifo, "\n")
  } catch (error) {
    // A full FIFO has woken its reader.
    if (!isErrno(error, "EPIPE", "EAGAIN")) throw error
  } finally {
    closeSync(fifo)
  }
}
