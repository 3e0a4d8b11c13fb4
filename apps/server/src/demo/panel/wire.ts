// The panel's fetch: logs every message. On a 401 it lets the person sign in and repeats the request.

import type { FetchLike } from "@modelcontextprotocol/client"
import type { Log } from "./log.ts"

export interface WireHandlers {
  signIn(): Promise<void>
  /** The server no longer knows this client's session, because it was restarted. */
  lost(): void
}

export function createWire(log: Log, { signIn, lost }: WireHandlers): FetchLike {
  return async (address, init = {}) => {
    if (typeof init.body === "string") log.sent(JSON.parse(init.body))
    for (;;) {
      const response = await reach(address, init)
      if (response.status === 404) lost()
      if (response.status !== 401) return listen(response, log)
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

async function listen(response: Response, log: Log): Promise<Response> {
  const type = response.headers.get("content-type") ?? ""
  if (type.startsWith("application/json")) {
    const text = await response.text()
    log.received(JSON.parse(text))
    return new Response(text, response)
  }
  const { body } = response.clone()
  // When a stream breaks, the client itself gets the error.
  if (type.startsWith("text/event-stream") && body !== null) events(body, log).catch(() => {})
  return response
}

async function events(body: ReadableStream<Uint8Array>, log: Log): Promise<void> {
  let rest = ""
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const blocks = `${rest}${next.value}`.replaceAll("\r\n", "\n").split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks) {
      const data = block
        .split("\n")
        .flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trimStart()] : []))
        .join("\n")
      if (data !== "") log.received(JSON.parse(data))
    }
  }
}
