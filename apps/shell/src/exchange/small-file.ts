// Reads a file that a script wrote. It never waits for a pipe, follows a link or reads more than the limit, even if the
// script replaces the file meanwhile.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

/** Only regular files are read. `maxBytes` is the number of bytes above which a file is too long. */
export function readSmallFile(path: string, maxBytes: number): Buffer | "not a file" | "too long" {
  const file = openFile(path)
  if (file === undefined) return "not a file"
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return "not a file"
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

/** O_NONBLOCK, because opening a pipe would block the whole server until a program writes into it. */
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens the file; undefined for a symbolic link and for a socket. */
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
