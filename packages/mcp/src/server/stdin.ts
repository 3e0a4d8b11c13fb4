// Splits standard input into lines and drops lines that are too long, for which the SDK's transport would close the
// connection. Of a long line, only both ends stay in memory, to find the id of its request.

import type { Readable } from "node:stream"
import { Transform } from "node:stream"
import type { RequestId } from "@modelcontextprotocol/server"

/** The longest line in bytes, which is the limit of the SDK's transport. */
const mostBytes = 10 * 1_024 * 1_024

export interface Lines {
  readonly lines: Readable
  /** Detaches from the input, so that the process may exit. */
  stop(): void
}

/** `onTooLong` is called for each line that is dropped, with the id of its request if the line contains one. */
export function toLines(input: Readable, onTooLong: (id: RequestId | undefined) => void): Lines {
  let line = newLine()
  const addPart = (part: Buffer, isEnd: boolean): Buffer | undefined => {
    add(line, part)
    if (!isEnd) return undefined
    const { parts, size, tail } = line
    line = newLine()
    if (size <= mostBytes) return Buffer.concat(parts)
    onTooLong(requestIdIn(Buffer.concat(parts).toString(), tail.toString()))
    return undefined
  }
  // Each line is one chunk, because a larger chunk could exceed the transport's limit.
  const lines = new Transform({
    readableObjectMode: true,
    transform(chunk: Buffer, _encoding, callback) {
      for (let start = 0; start < chunk.length; ) {
        const newline = chunk.indexOf(lineFeed, start)
        const end = newline === -1 ? chunk.length : newline + 1
        const wholeLine = addPart(chunk.subarray(start, end), newline !== -1)
        if (wholeLine !== undefined) this.push(wholeLine)
        start = end
      }
      callback()
    },
  })
  const fail = (error: Error): void => void lines.destroy(error)
  const close = (): void => void lines.end()
  input.on("error", fail).on("close", close).pipe(lines)
  return {
    lines,
    stop() {
      input.off("error", fail).off("close", close).unpipe(lines)
      if (input.listenerCount("data") === 0) input.pause()
    },
  }
}

const lineFeed = 0x0a

interface Line {
  size: number
  /** The whole line, or the beginning of a line that is too long. */
  parts: Buffer[]
  /** The last bytes of a line that is too long. */
  tail: Buffer
}

const newLine = (): Line => ({ size: 0, parts: [], tail: Buffer.alloc(0) })
const edgeBytes = 1_024

function add(line: Line, part: Buffer): void {
  const wasTooLong = line.size > mostBytes
  line.size += part.length
  if (!wasTooLong) line.parts.push(part)
  if (line.size <= mostBytes) return
  if (!wasTooLong) line.parts = [Buffer.concat(line.parts, edgeBytes)]
  // A copy, because a slice would keep the whole chunk in memory.
  line.tail = Buffer.from(Buffer.concat([line.tail, part.subarray(-edgeBytes)]).subarray(-edgeBytes))
}

const quoted = String.raw`"[^"\\\p{Cc}]*"`
const memberSource = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*${quoted}|"id"\s*:\s*(?:${quoted}|0|-?[1-9]\d{0,14}))`
const headPattern = new RegExp(String.raw`^\s*\{\s*((?:${memberSource}\s*,\s*)*)`, "u")
const tailPattern = new RegExp(String.raw`((?:,\s*${memberSource}\s*)*)\}\s*$`, "u")

/**
 * Finds the id of a request in the top-level members before and after its params: clients write the id at either end.
 * Undefined for anything that is not clearly a request, because the id of a response was issued by this server.
 */
function requestIdIn(head: string, tail: string): RequestId | undefined {
  const members = `${headPattern.exec(head)?.[1] ?? ""}${tailPattern.exec(tail)?.[1] ?? ""}`
  const id = /"id"\s*:\s*(?:"(?<text>[^"]*)"|(?<number>-?\d+))/u.exec(members)?.groups
  if (id === undefined || !isRequest.test(members)) return undefined
  return id.text ?? Number(id.number)
}

const isRequest = /"method"\s*:/u
