// One HTTP exchange with the server under test, read as it comes: a JSON body, or a stream of events. Everything that is
// received goes into the log, too, which the checks of the wire read in the end.

import type { Json } from "./json.ts"
import { readMessages } from "./json.ts"
import type { Fetch, UrlModeRevision } from "./target.ts"

/** One thing that came over the wire. */
export interface Received {
  readonly revision: UrlModeRevision
  /** What the client had declared when it came. */
  readonly capabilities: Json
  /** Which method was asked, or "stream" for the GET stream. */
  readonly during: string
  readonly status: number
  readonly headers: Headers
  /** None for a body without any message. */
  readonly message?: Json
}

export interface Post {
  readonly fetch: Fetch
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** None for a GET stream. */
  readonly body?: Json
  readonly method?: "GET" | "POST" | "DELETE"
  readonly signal: AbortSignal
  /** Told each message with the head of the answer it came in. */
  onMessage(message: Json, head: Head): void
}

export interface Head {
  readonly status: number
  readonly headers: Headers
}

export interface Exchange extends Head {
  /** When everything was read; an abort is an end, too. */
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
  // Whoever waits for an answer learns of a broken stream by the answer that never comes.
  ended.catch(() => undefined)
  return { ...head, ended }
}

/** A fetch within one process does not notice by itself. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new Error("The exchange was given up."))
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

/** The data lines of one event, without its name and its comments. */
function dataOf(event: string): string {
  return event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n")
}
