// One HTTP exchange with the server under test. The response is a JSON body, or an event stream that is read as it
// arrives.

import type { Json } from "./json.ts"
import { readMessages } from "./json.ts"
import type { Fetch, UrlModeRevision } from "./target.ts"

/** One message from the server, or a response without one. */
export interface ReceivedMessage {
  readonly revision: UrlModeRevision
  /** The capabilities that the client declared for this request. */
  readonly capabilities: Json
  /** The method of the client's request, or "stream" for the GET stream. */
  readonly requestMethod: string
  readonly status: number
  readonly headers: Headers
  /** Absent when the response has no JSON-RPC message. */
  readonly message?: Json
}

export interface Post {
  readonly fetch: Fetch
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent for a GET stream. */
  readonly body?: Json
  readonly method?: "GET" | "POST" | "DELETE"
  readonly signal: AbortSignal
  /** Called with each message and the head of its response. */
  onMessage(message: Json, head: Head): void
}

export interface Head {
  readonly status: number
  readonly headers: Headers
}

export interface Exchange extends Head {
  /** Resolves when the response was read to its end, or on an abort. */
  readonly ended: Promise<void>
}

export async function exchange(post: Post): Promise<Exchange> {
  const { body, method = body === undefined ? "GET" : "POST", signal } = post
  const pendingResponse = post.fetch(post.url, {
    method,
    headers: {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...post.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "manual",
    signal,
  })
  const response = await orRejectOnAbort(pendingResponse, signal)
  const head = { status: response.status, headers: response.headers }
  const ended = readResponse(response, signal, (message) => post.onMessage(message, head)).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  // Avoids an unhandled rejection: the caller notices a broken stream because the JSON-RPC response is missing.
  ended.catch(() => undefined)
  return { ...head, ended }
}

/** Rejects on an abort, because a fetch function within the process may ignore the signal. */
async function orRejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new Error("The exchange was aborted."))
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop)
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

async function readResponse(
  response: Response,
  signal: AbortSignal,
  onMessage: (message: Json) => void,
): Promise<void> {
  const type = response.headers.get("content-type") ?? ""
  if (!type.startsWith("text/event-stream")) {
    for (const message of readMessages(await response.text())) onMessage(message)
    return
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const stop = (): void => void reader?.cancel().catch(() => undefined)
  signal.addEventListener("abort", stop)
  let buffer = ""
  for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
    const events = `${buffer}${chunk.value}`.split(/\r\n\r\n|\n\n|\r\r/)
    buffer = events.pop() ?? ""
    for (const event of events) for (const message of readMessages(dataOf(event))) onMessage(message)
  }
  signal.removeEventListener("abort", stop)
}

/** The data of one server-sent event. */
function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n")
}
