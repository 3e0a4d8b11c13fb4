// Reads a stream of server-sent events, and passes on each event with data by itself, as one line of data. Comments end
// here. A stream that never ends is cut off by the number of its bytes.

import { createByteBuffer } from "@holdpoint/fetching/internal"
import { encodeEvents } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"

export interface EventGateOptions {
  /** The most bytes of the whole stream, with its comments. */
  readonly mostBytes: number
  /** Called before the first event is passed on. */
  readonly onFirst: () => void
  /** The error for the data of an event, or without data that for a stream that is too large. */
  readonly errorOf: (data: string | undefined) => Error | undefined
}

type Bytes = Uint8Array<ArrayBuffer>

export function createEventGate({ mostBytes, onFirst, errorOf }: EventGateOptions): TransformStream<Bytes, Bytes> {
  /** The beginning of a line whose end has not arrived. */
  const line = createByteBuffer()
  let isComment = false
  const decoder = new TextDecoder()
  let received = 0
  let type = ""
  let data: string[] = []

  /** The event that this line ends, as the text to pass on. */
  const endOf = (text: string): string | undefined => {
    if (text.startsWith("data:")) data.push(text.slice(5).replace(/^ /, ""))
    else if (text.startsWith("event:")) type = text.slice(6, 6 + longestType).trim()
    if (text !== "" || data.length === 0) return undefined
    // A line break in JSON is white space.
    const whole = data.join(" ")
    data = []
    const error = errorOf(whole)
    if (error !== undefined) throw error
    const event = toServerSentEvent({ event: type === "" ? undefined : type, data: whole })
    type = ""
    return event
  }
  return new TransformStream({
    transform(chunk, controller) {
      received += chunk.length
      if (received > mostBytes) throw errorOf(undefined)
      for (let at = 0; at < chunk.length; ) {
        const end = chunk.indexOf(lineBreak, at)
        const piece = chunk.subarray(at, end < 0 ? chunk.length : end)
        if (line.size === 0 && piece[0] === colon) isComment = true
        if (end < 0 && !isComment) line.add(piece)
        if (end < 0) break
        at = end + 1
        if (isComment) {
          isComment = false
          continue
        }
        if (line.size > 0) line.add(piece)
        const event = endOf(decoder.decode(line.size > 0 ? line.take() : piece).replace(/\r$/, ""))
        if (event === undefined) continue
        onFirst()
        controller.enqueue(encodeEvents(event))
      }
    },
  })
}

const lineBreak = 10
const colon = 58
const longestType = 100
