// Reads the lines that a script appends to a file, while it runs. Each line is read once; a line that is too long is left
// out. It never follows a link and never waits for a pipe.

import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { isErrno, readFlags } from "./small-file.ts"

export interface LineStream {
  /** Reads what was appended. Resolves when the end of the file was reached. */
  read(): Promise<void>
}

export interface LineStreamOptions {
  readonly onLine: (line: string) => void
  readonly report: (doing: string, error: unknown) => void
}

const mostInLine = 64 * 1_024
const chunkBytes = 64 * 1_024
/** A script that writes more than this has its file left alone: reading it would keep the call from ending. */
const mostInFile = 16 * 1_024 * 1_024

export function createLineStream(path: string, { onLine, report }: LineStreamOptions): LineStream {
  const lines = createLines(onLine)
  let offset = 0
  let total = 0
  let reading: Promise<void> | undefined
  let isAgain = false

  const readAll = async (): Promise<void> => {
    await using file = await openFile(path)
    if (file === undefined) return
    const { size } = await file.stat()
    // The script has started its file again.
    if (size < offset) offset = 0
    const chunk = Buffer.alloc(Math.min(chunkBytes, Math.max(size - offset, 1)))
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset)
      total += bytesRead
      if (bytesRead === 0 || total > mostInFile) return
      offset += bytesRead
      lines.add(chunk.subarray(0, bytesRead))
    }
  }
  const loop = async (): Promise<void> => {
    try {
      do {
        isAgain = false
        await readAll()
      } while (isAgain)
    } catch (error) {
      report("reading what a script reports", error)
    } finally {
      reading = undefined
    }
  }
  return {
    read() {
      isAgain = true
      reading ??= loop()
      return reading
    },
  }
}

/** Undefined when there is no such regular file. */
async function openFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, readFlags)
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "ENXIO", "EOPNOTSUPP")) return undefined
    throw error
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** Puts bytes together to lines. */
function createLines(onLine: (line: string) => void) {
  let begun: Buffer[] = []
  let length = 0
  return {
    add(bytes: Buffer) {
      let from = 0
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        const rest = bytes.subarray(from, end)
        if (length + rest.length <= mostInLine) onLine(Buffer.concat([...begun, rest]).toString("utf8"))
        begun = []
        length = 0
        from = end + 1
      }
      const rest = bytes.subarray(from)
      length += rest.length
      // The chunk is used again, so that its bytes are copied.
      if (length <= mostInLine && rest.length > 0) begun.push(Buffer.from(rest))
      else if (length > mostInLine) begun = []
    },
  }
}
