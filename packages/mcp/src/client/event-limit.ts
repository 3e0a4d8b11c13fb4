// Limits the size of each event of a stream of server-sent events. Passes on whole events only, because a parser that
// gets an event in many pieces takes quadratic time.

import { createByteBuffer } from "@holdpoint/fetching/internal"
import { encodeEvents } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"

/**
 * Creates the limit. An event above it ends the stream, with an event that has this text as its data; without a text, the
 * stream breaks.
 */
export function limitEvents(
  mostBytes: number,
  lastData: string | undefined,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const bytes = createByteBuffer()
  let lineLength = 0
  let isAfterReturn = false

  /** The index after the last event that ends in this chunk. 0 when no event ends in it. */
  const endOfEvents = (chunk: Uint8Array): number => {
    let end = 0
    for (let at = 0; at < chunk.length; at++) {
      const isReturn = chunk[at] === returnByte
      const isBreak = isReturn || chunk[at] === lineBreakByte
      const isSecondOfPair = isAfterReturn && chunk[at] === lineBreakByte
      isAfterReturn = isReturn
      if (isSecondOfPair) {
        if (end === at) end = at + 1
      } else if (!isBreak) lineLength++
      else {
        // An empty line ends an event.
        if (lineLength === 0) end = at + 1
        lineLength = 0
      }
    }
    return end
  }
  return new TransformStream({
    transform(chunk, controller) {
      const end = endOfEvents(chunk)
      if (end > 0) {
        if (bytes.size > 0) controller.enqueue(bytes.take())
        controller.enqueue(chunk.subarray(0, end))
      }
      bytes.add(chunk.subarray(end))
      if (bytes.size <= mostBytes) return
      bytes.take()
      if (lastData === undefined) return controller.error(new Error(`An event is larger than ${mostBytes} bytes.`))
      controller.enqueue(encodeEvents(toServerSentEvent({ data: lastData })))
      controller.terminate()
    },
    flush(controller) {
      if (bytes.size > 0) controller.enqueue(bytes.take())
    },
  })
}

const returnByte = 13
const lineBreakByte = 10
