// Bounds the streams of a caller at the request handler, which every binding calls, before a stream begins anything.

import type { A2ARequestHandler } from "@a2a-js/sdk/server"
import type { StreamOwner, StreamPlace, StreamPlaces } from "@holdpoint/agents/internal"
import { TooManyStreamsError } from "./errors.ts"

export interface PlacedHandler {
  readonly handler: A2ARequestHandler
  /** The place of this request's stream. */
  readonly place: StreamPlace
}

/** The handler for one request: its stream takes a place first, or is refused. */
export function withPlace(handler: A2ARequestHandler, places: StreamPlaces, owner: StreamOwner): PlacedHandler {
  let taken: StreamPlace | undefined
  const release = (): void => taken?.release()
  async function* placed<T>(events: () => AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    taken = places.take(owner)
    if (taken === undefined)
      throw new TooManyStreamsError(
        "You have too many streams open at this server. Nothing was begun. Close some of them, and try again; or get the task without a stream.",
      )
    try {
      yield* events()
    } finally {
      release()
    }
  }
  return {
    place: { release },
    handler: {
      ...handler,
      sendMessageStream: (...given) => placed(() => handler.sendMessageStream(...given)),
      resubscribe: (...given) => placed(() => handler.resubscribe(...given)),
    },
  }
}
