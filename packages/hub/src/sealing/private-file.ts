// Small files of secrets that only their owner may read: read, and created atomically. A file that another user wrote or
// could have read is refused.

import { randomUUID } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { dirname } from "node:path"
import { HoldpointError } from "../core/error.ts"

/** What the words of an error say. */
export interface PrivateFileWords {
  /** In the plural: “The keys”. */
  readonly content: string
  /** What to do when somebody may have read the file. */
  readonly ifRead: string
}

/** The largest file that is read. A file of keys is far smaller. */
const mostBytes = 1_048_576

/**
 * The content of the file. Throws `wrong_key` for a file that others can read or change, and the error of the system
 * when there is none.
 */
export function readPrivateFile(path: string, words: PrivateFileWords): string {
  // Without O_NONBLOCK, opening a FIFO waits for its writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const problem = problemOf(fstatSync(file), path, words)
    if (problem !== undefined) throw new HoldpointError("wrong_key", `${words.content} in ${path} ${problem}`)
    return readFileSync(file, "utf8")
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a new file. Returns false and leaves the file unchanged if it exists already, so that two processes that start
 * together use the same secrets.
 */
export function createPrivateFile(path: string, text: string): boolean {
  const draftPath = `${path}.${randomUUID()}`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writePrivateFile(draftPath, text)
    linkSync(draftPath, path)
    syncFolderOf(path)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  } finally {
    rmSync(draftPath, { force: true })
  }
}

export function writePrivateFile(path: string, text: string, flag = constants.O_CREAT | constants.O_EXCL): void {
  const file = openSync(path, constants.O_WRONLY | flag, 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Syncs the folder, so that a renamed file survives a crash. Systems that cannot sync folders do not need it. */
export function syncFolderOf(path: string): void {
  try {
    const folder = openSync(dirname(path), "r")
    fsyncSync(folder)
    closeSync(folder)
  } catch {
    // Windows cannot sync a folder.
  }
}

export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

function problemOf(stats: Stats, path: string, { ifRead }: PrivateFileWords): string | undefined {
  if (!stats.isFile()) return "are not used, because that is not a regular file. Move it away."
  if (stats.size > mostBytes) return `are not used, because the file has ${stats.size} bytes. Move it away.`
  // Windows has no permission bits for other users.
  if (process.platform === "win32") return undefined
  const own = process.getuid?.()
  if (stats.uid !== own && stats.uid !== 0)
    return `belong to another user of this machine, so they are not used.\nMake the file yours: chown ${own} ${path}\n${ifRead}`
  if ((stats.mode & 0o077) === 0) return undefined
  return `can be read by others on this machine, so they are not used.\nRemove this permission: chmod 600 ${path}\n${ifRead}`
}
