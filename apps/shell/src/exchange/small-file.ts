// Reads a file that a script wrote. It never waits for a pipe, never follows a link, and never reads more than it may,
// whatever the script puts in the place of the file meanwhile.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

/** Only regular files are read. `most` is the number of bytes above which a file is too long. */
export function readSmallFile(path: string, most: number): Buffer | "not a file" | "too long" {
  const file = openFile(path)
  if (file === undefined) return "not a file"
  try {
    const about = fstatSync(file)
    if (!about.isFile()) return "not a file"
    if (about.size > most) return "too long"
    const bytes = Buffer.alloc(about.size)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/** Without waiting: opening a pipe would hold the whole server until a program writes into it. */
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Undefined for a symbolic link and for a socket. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, readFlags)
  } catch (error) {
    if (isErrno(error, "ELOOP", "ENXIO", "EOPNOTSUPP")) return undefined
    throw error
  }
}

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.includes(String(error.code))

export const isMissing = (error: unknown): boolean => isErrno(error, "ENOENT")
