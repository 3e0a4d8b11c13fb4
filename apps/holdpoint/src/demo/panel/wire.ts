// The fetch function of the panel: logs every message. After a 401, the person signs in and the request is repeated.

import type { FetchLike } from "@modelcontextprotocol/client"
import type { Log } from "./log.ts"

export interface WireHandlers {
  signIn(): Promise<void>
  /** Called when the server no longer has the session of this client, because the server was restarted. */
  onSessionLost(): void
}

export function createWire(log: Log, { signIn, onSessionLost }: WireHandlers): FetchLike {
  return async (address, init = {}) => {
    if (typeof init.body === "string") log.sent(JSON.parse(init.body))
    for (;;) {
      const response = await reach(address, init)
      if (response.status === 404) onSessionLost()
      if (response.status !== 401) return logResponse(response, log)
      log.note("401: not signed in")
      await signIn()
    }
  }
}

/** Replaces the browsers' “Failed to fetch” by an error that says what to do. */
export async function reach(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...request)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Error(`${location.host} cannot be reached. Is it still running? Start it again, then try again.`)
  }
}

async function logResponse(response: Response, log: Log): Promise<Response> {
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("application/json")) {
    const text = await response.text()
    log.received(JSON.parse(text))
    return new Response(text, response)
  }
  const { body } = response.clone()
  // Errors of the copied stream are ignored: the client gets the same error from its own stream.
  if (type.startsWith("text/event-stream") && body !== null) logEvents(body, log).catch(() => {})
  return response
}

async function logEvents(body: ReadableStream<Uint8Array>, log: Log): Promise<void> {
  let incomplete = ""
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const blocks = `${incomplete}${next.value}`.replaceAll("\r\n", "\n").split("\n\n")
    incomplete = blocks.pop() ?? ""
    for (const block of blocks) {
      const data = block
        .split("\n")
        .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trimStart()] : []))
        .join("\n")
      if (data !== "") log.received(JSON.parse(data))
    }
  }
}
