// Standard input as whole lines, without those that are too long for the SDK's transport, which would end the connection.
// Knows no more of a line than it needs to tell whose request it was.

import type { Readable } from "node:stream"
import { Transform } from "node:stream"
import type { RequestId } from "@modelcontextprotocol/server"

/** The limit of the SDK's transport. */
const mostBytes = 10 * 1_024 * 1_024

export interface Lines {
  readonly lines: Readable
  /** Lets go of the input, so that the process may end. */
  stop(): void
}

/** `onLong` is called for each line that is left out, with the id of its request where the line shows it. */
export function toLines(input: Readable, onLong: (id: RequestId | undefined) => void): Lines {
  let line = newLine()
  const take = (part: Buffer, isEnd: boolean): Buffer | undefined => {
    add(line, part)
    if (!isEnd) return undefined
    const { parts, size, tail } = line
    line = newLine()
    if (size <= mostBytes) return Buffer.concat(parts)
    onLong(requestIn(Buffer.concat(parts).toString(), tail.toString()))
    return undefined
  }
  // One chunk for each line: what the transport gets at once must not be more than it takes.
  const lines = new Transform({
    readableObjectMode: true,
    transform(chunk: Buffer, _encoding, done) {
      for (let start = 0; start < chunk.length; ) {
        const newline = chunk.indexOf(lineFeed, start)
        const end = newline === -1 ? chunk.length : newline + 1
        const whole = take(chunk.subarray(start, end), newline !== -1)
        if (whole !== undefined) this.push(whole)
        start = end
      }
      done()
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
  /** All of it; of a line that is too long, its beginning. */
  parts: Buffer[]
  /** The last bytes of a line that is too long. */
  tail: Buffer
}

const newLine = (): Line => ({ size: 0, parts: [], tail: Buffer.alloc(0) })
const edgeBytes = 1_024

function add(line: Line, part: Buffer): void {
  const wasLong = line.size > mostBytes
  line.size += part.length
  if (!wasLong) line.parts.push(part)
  if (line.size <= mostBytes) return
  if (!wasLong) line.parts = [Buffer.concat(line.parts, edgeBytes)]
  // A copy: a part of a chunk keeps the whole of it.
  line.tail = Buffer.from(Buffer.concat([line.tail, part.subarray(-edgeBytes)]).subarray(-edgeBytes))
}

const text = String.raw`"[^"\\\p{Cc}]*"`
const member = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*${text}|"id"\s*:\s*(?:${text}|0|-?[1-9]\d{0,14}))`
const first = new RegExp(String.raw`^\s*\{\s*((?:${member}\s*,\s*)*)`, "u")
const last = new RegExp(String.raw`((?:,\s*${member}\s*)*)\}\s*$`, "u")

/**
 * The id of a request, from what stands before and after its params at the top level; clients write it at either end.
 * Undefined for anything that is not seen to be a request: an answer's id is one of ours.
 */
function requestIn(head: string, tail: string): RequestId | undefined {
  const members = `${first.exec(head)?.[1] ?? ""}${last.exec(tail)?.[1] ?? ""}`
  const id = /"id"\s*:\s*(?:"(?<text>[^"]*)"|(?<number>-?\d+))/u.exec(members)?.groups
  if (id === undefined || !isRequest.test(members)) return undefined
  return id.text ?? Number(id.number)
}

const isRequest = /"method"\s*:/u
