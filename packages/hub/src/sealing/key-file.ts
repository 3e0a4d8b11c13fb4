// Keys in a file that only its owner can read: created when first needed, reread when it changes, and changed by one
// process at a time. The file is written atomically.

import { closeSync, constants, openSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { HoldpointError } from "../core/error.ts"
import type { KeyRing } from "./key-ring.ts"
import { parseKeyRing, serializeKeyRing, withNewKey } from "./key-ring.ts"
import { createPrivateFile, isCode, readPrivateFile, syncFolderOf, writePrivateFile } from "./private-file.ts"

export interface KeyFileOptions {
  /** Whether a missing file may be created. False when the database has been used with keys before. */
  readonly mayCreate: boolean
  /** Receives advice for production when keys were created, and warnings about a changed file that cannot be used. */
  readonly warn: (words: string) => void
}

/** The default path of the key file for a database file. */
export function keyFileBeside(database: string): string {
  return join(dirname(database), "holdpoint.keys")
}

/**
 * Opens a key file; creates a missing one if `mayCreate` allows it. Returns a function that reads the keys, again when
 * the file has changed. If the file is lost or damaged, that function returns the last usable keys.
 */
export function openKeyFile(path: string, { mayCreate, warn }: KeyFileOptions): () => KeyRing {
  if (mayCreate && stampOf(path) === "" && createKeyFile(path, withNewKey())) warn(adviceOn(path))
  let lastStamp = stampOf(path)
  let ring = readKeyFile(path)
  return () => {
    const stamp = stampOf(path)
    if (stamp === lastStamp) return ring
    lastStamp = stamp
    try {
      ring = readKeyFile(path)
    } catch (error) {
      warn(`The keys stay as they were. ${error instanceof Error ? error.message : String(error)}`)
    }
    return ring
  }
}

/** The keys in a file. Throws `wrong_key` when the file is missing, unusable, or other users can read or change it. */
export function readKeyFile(path: string): KeyRing {
  let text: string
  try {
    text = readPrivateFile(path, keyFileWords)
  } catch (error) {
    if (error instanceof HoldpointError) throw error
    throw isCode(error, "ENOENT") ? missing(path) : unusable(path, error)
  }
  return parseKeyRing(text, path)
}

const keyFileWords = {
  content: "The keys",
  ifRead: "If somebody may have read them, change them afterwards: holdpoint keys rotate",
}

/**
 * Writes a new key file. Returns false and leaves the file unchanged if it exists already, so that two processes that
 * start together use the same keys.
 */
export function createKeyFile(path: string, ring: KeyRing): boolean {
  try {
    return createPrivateFile(path, textOf(ring))
  } catch (error) {
    throw unusable(path, error)
  }
}

/**
 * Changes the keys in a file. Throws while another process changes them: one of the two changes would overwrite the
 * other, and everything that is sealed with an overwritten key is lost.
 */
export function changeKeyFile(path: string, change: (ring: KeyRing) => KeyRing): KeyRing {
  const newPath = `${path}.new`
  let isWrittenHere = false
  try {
    closeSync(openSync(newPath, "wx", 0o600))
    isWrittenHere = true
    const ring = change(readKeyFile(path))
    writePrivateFile(newPath, textOf(ring), constants.O_TRUNC)
    renameSync(newPath, path)
    isWrittenHere = false
    syncFolderOf(path)
    return ring
  } catch (error) {
    if (error instanceof HoldpointError) throw error
    throw isCode(error, "EEXIST") ? underChangeError(path, newPath) : unusable(path, error)
  } finally {
    if (isWrittenHere) rmSync(newPath, { force: true })
  }
}

const textOf = (ring: KeyRing): string => `${heading}${serializeKeyRing(ring)}`

const heading = "# The keys of a holdpoint database. Anyone who can read both can decrypt everything in the database.\n"

/** A stamp that changes when the file changes; empty when the file does not exist. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? "" : `${stats.ino}/${stats.size}/${stats.mtimeMs}/${stats.mode}`
}

const adviceOn = (path: string): string =>
  `New keys were saved in ${path}. Everything that is sealed in the database can be opened only with them.\n` +
  "In production, keep them away from the database and its backups: give the content of this file in HOLDPOINT_KEYS,\n" +
  "from a secret manager, to every process that uses the database, and delete the file."

const missing = (path: string): HoldpointError =>
  new HoldpointError(
    "wrong_key",
    `The keys are missing: there is no file ${path}, and the database was used with keys before.\n` +
      "Put the file back (perhaps it is in a backup), name it with --key-file or HOLDPOINT_KEY_FILE, or give its content\n" +
      "in HOLDPOINT_KEYS. Nothing was changed.",
  )

const underChangeError = (path: string, newPath: string): HoldpointError =>
  new HoldpointError(
    "wrong_key",
    `Another process is changing the keys in ${path}. Try again.\n` +
      `If no such process is running, an earlier one died during the change: ${path} is intact; remove ${newPath}\n` +
      "and try again.",
  )

const unusable = (path: string, cause: unknown): HoldpointError =>
  new HoldpointError(
    "wrong_key",
    `The key file ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  )
