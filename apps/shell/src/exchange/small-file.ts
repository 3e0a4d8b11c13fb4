// Reads and writes the files that are exchanged with a script. It never waits for a pipe, follows a link, reads a file
// of another name or owner, or more than the limit, even if the script replaces the file meanwhile.

import { randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"

/** Only regular files of the server's user are read. `maxBytes` is the number of bytes above which a file is too long. */
export function readSmallFile(path: string, maxBytes: number): Buffer | "not a file" | "too long" {
  const file = openFile(path)
  if (file === undefined) return "not a file"
  try {
    const stats = fstatSync(file)
    if (!isOwnFile(stats)) return "not a file"
    if (stats.size > maxBytes) return "too long"
    const bytes = Buffer.alloc(stats.size)
    let length = 0
    while (length < bytes.length) {
      const bytesRead = readSync(file, bytes, length, bytes.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/**
 * Whether the file is a regular one that has one name only and belongs to the server's user, as the scripts do. A second
 * name could be that of any file of the user, such as one with keys.
 */
export const isOwnFile = (stats: Pick<Stats, "isFile" | "nlink" | "uid">): boolean =>
  stats.isFile() && stats.nlink <= 1 && stats.uid === process.getuid?.()

/**
 * Makes the file appear with this content, complete, in the place of whatever the script put there. The draft has a
 * random name: a pipe or link that the script put there would block the server or redirect the write.
 */
export function writeSmallFile(path: string, content: string): void {
  const draftPath = join(dirname(path), `draft.${randomBytes(8).toString("hex")}`)
  try {
    writeFileSync(draftPath, content, { mode: 0o600, flag: "wx" })
    renameSync(draftPath, path)
  } catch (error) {
    rmSync(draftPath, { force: true })
    throw error
  }
}

/** O_NONBLOCK, because opening a pipe would block the whole server until a program writes into it. */
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens the file; undefined for a symbolic link, a socket, and a file that may not be read. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, readFlags)
  } catch (error) {
    if (isErrno(error, "ELOOP", "ENXIO", "EOPNOTSUPP", "EACCES", "EPERM")) return undefined
    throw error
  }
}

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code))

export const isMissing = (error: unknown): boolean => isErrno(error, "ENOENT")
