// The key of the person's own programs in local mode: in a file beside the database that only this user of the machine
// can read. Every user can reach the port; a program that sends the key belongs to the person.

import { randomBytes } from "node:crypto"
import { HoldpointError } from "@holdpoint/hub"
import { createPrivateFile, readPrivateFile } from "@holdpoint/hub/internal"
import type { ProgramKey } from "./local.ts"

/** Reads the key, and creates it when there is none. Throws `wrong_key` when another user could have read the file. */
export function openProgramKey(path: string): ProgramKey {
  try {
    createPrivateFile(path, `hpl_${randomBytes(32).toString("base64url")}\n`)
    const text = readPrivateFile(path, words).trim()
    if (/^hpl_[\w-]{43}$/.test(text)) return { text, place: `the file ${path}` }
  } catch (error) {
    if (error instanceof HoldpointError) throw error
    throw unusable(path, error instanceof Error ? error.message : String(error))
  }
  throw unusable(path, "it does not contain a key")
}

const words = {
  content: "The keys of your programs",
  ifRead: "If somebody may have read it, delete it: a new one is made at the next start.",
}

const unusable = (path: string, why: string): HoldpointError =>
  new HoldpointError(
    "wrong_key",
    `The key of your programs in ${path} cannot be used: ${why}. Delete the file: a new one is made at the next start.`,
  )
