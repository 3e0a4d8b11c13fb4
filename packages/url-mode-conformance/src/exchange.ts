// One HTTP exchange with the server under test: a JSON body, or a stream of events, read as it arrives. Everything received
// is also logged, for the checks of the wire.

import type { Json } from "./json.ts"
import { readMessages } from "./json.ts"
import type { Fetch, UrlModeRevision } from "./target.ts"

/** One message from the server, or a response without one. */
export interface Received {
  readonly revision: UrlModeRevision
  /** What the client had declared for this request. */
  readonly capabilities: Json
  /** The method of the client's request, or "stream" for the GET stream. */
  readonly during: string
  readonly status: number
  readonly headers: Headers
  /** Absent for a body without a message. */
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
  /** Resolves when everything was read, or on an abort. */
  readonly ended: Promise<void>
}

export async function exchange(post: Post): Promise<Exchange> {
  const { body, method = body === undefined ? "GET" : "POST", signal } = post
  const asked = post.fetch(post.url, {
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
  const response = await orAborted(asked, signal)
  const head = { status: response.status, headers: response.headers }
  const ended = read(response, signal, (message) => post.onMessage(message, head)).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  // A caller notices a broken stream by the missing answer.
  ended.catch(() => undefined)
  return { ...head, ended }
}

/** An in-process fetch does not react to the signal by itself. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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

async function read(response: Response, signal: AbortSignal, onMessage: (message: Json) => void): Promise<void> {
  const type = response.headers.get("content-type") ?? ""
  if (!type.startsWith("text/event-stream")) {
    for (const message of readMessages(await response.text())) onMessage(message)
    return
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const stop = (): void => void reader?.cancel().catch(() => undefined)
  signal.addEventListener("abort", stop)
  let rest = ""
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    const events = `${rest}${part.value}`.split(/\r\n\r\n|\n\n|\r\r/)
    rest = events.pop() ?? ""
    for (const event of events) for (const message of readMessages(dataOf(event))) onMessage(message)
  }
  signal.removeEventListener("abort", stop)
}

/** The data lines of one event. */
function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n")
}
