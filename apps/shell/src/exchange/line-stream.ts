// Reads the lines that a script appends to a file, while it runs. Each line is read once; a line that is too long is
// left out. It never follows a link and never waits for a pipe.

import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { isErrno, isOwnFile, readFlags } from "./small-file.ts"

export interface LineStream {
  /** Reads the lines that were appended since the last call. Resolves at the end of the file. */
  read(): Promise<void>
}

export interface LineStreamOptions {
  readonly onLine: (line: string) => void
  readonly report: (activity: string, error: unknown) => void
}

const maxLineBytes = 64 * 1_024
const chunkBytes = 64 * 1_024
/** The rest of a longer file is ignored, because reading it would keep the call from ending. */
const maxFileBytes = 16 * 1_024 * 1_024

export function createLineStream(path: string, { onLine, report }: LineStreamOptions): LineStream {
  const lines = createLines(onLine)
  let offset = 0
  let total = 0
  let currentRead: Promise<void> | undefined
  let isReadRequested = false

  const readAll = async (): Promise<void> => {
    await using file = await openFile(path)
    if (file === undefined) return
    const { size } = await file.stat()
    // The script has truncated its file, so reading starts from the beginning.
    if (size < offset) offset = 0
    const chunk = Buffer.alloc(Math.min(chunkBytes, Math.max(size - offset, 1)))
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset)
      total += bytesRead
      if (bytesRead === 0 || total > maxFileBytes) return
      offset += bytesRead
      lines.add(chunk.subarray(0, bytesRead))
    }
  }
  const readUntilIdle = async (): Promise<void> => {
    try {
      do {
        isReadRequested = false
        await readAll()
      } while (isReadRequested)
    } catch (error) {
      report("reading what a script reports", error)
    } finally {
      currentRead = undefined
    }
  }
  return {
    read() {
      isReadRequested = true
      currentRead ??= readUntilIdle()
      return currentRead
    },
  }
}

/** Opens the file; undefined when it does not exist or is not a regular file. */
async function openFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, readFlags)
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "ENXIO", "EOPNOTSUPP")) return undefined
    throw error
  }
  if (isOwnFile(await file.stat())) return file
  await file.close()
  return undefined
}

/** Splits chunks of bytes into lines. */
function createLines(onLine: (line: string) => void) {
  let unfinishedLine: Buffer[] = []
  let length = 0
  return {
    add(bytes: Buffer) {
      let start = 0
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        const part = bytes.subarray(start, end)
        if (length + part.length <= maxLineBytes) onLine(Buffer.concat([...unfinishedLine, part]).toString("utf8"))
        unfinishedLine = []
        length = 0
        start = end + 1
      }
      const part = bytes.subarray(start)
      length += part.length
      // Copies the bytes, because the caller reuses the chunk's memory.
      if (length <= maxLineBytes && part.length > 0) unfinishedLine.push(Buffer.from(part))
      else if (length > maxLineBytes) unfinishedLine = []
    },
  }
}
