// Decides when the response to a client of 2025 begins. No header is sent before there is data, so that a proxy may
// retry elsewhere when this process dies.

import { eventStreamHeaders, type Heartbeat } from "@holdpoint/hub/internal"

/** The body of a response that is being read. */
export interface Reading {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  /** The first chunk, if it was already requested. */
  firstChunk: ReturnType<Reading["reader"]["read"]> | undefined
}

/** Requests the next chunk, and keeps no reference to the first one. */
export function readNext(reading: Reading): ReturnType<Reading["reader"]["read"]> {
  const next = reading.firstChunk ?? reading.reader.read()
  reading.firstChunk = undefined
  return next
}

/** Waits until the SDK's stream for a 2025 client has data. Undefined when the response is not a stream. */
export async function waitForStream(response: Response, heartbeat: Heartbeat): Promise<Reading | undefined> {
  const reader = isStream(response) ? response.body?.getReader() : undefined
  if (reader === undefined) return undefined
  const firstChunk = reader.read()
  // The header is sent with the first heartbeat at the latest: proxies and clients wait for it that long.
  const firstBeat = Promise.withResolvers<void>()
  const stopHeartbeat = heartbeat.add(firstBeat.resolve)
  await Promise.race([firstChunk, firstBeat.promise]).finally(stopHeartbeat)
  return { reader, firstChunk }
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true

/** The same headers that the SDK sends. */
export const streamHeaders = { ...eventStreamHeaders, connection: "keep-alive" }
