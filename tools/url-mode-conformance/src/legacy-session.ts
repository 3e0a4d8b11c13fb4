// A client of the older revisions: initializes a session, listens on a GET stream, and answers requests that the server
// sends on any stream.

import type { Client } from "./dialogue.ts"
import { headersOf, withTimeout } from "./dialogue.ts"
import type { Exchange, Head } from "./exchange.ts"
import { exchange } from "./exchange.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import type { PendingRequest, Reply } from "./modern-client.ts"

export interface Session {
  /** Undefined when the server keeps no sessions. */
  readonly id: string | undefined
  /** Whether the server opened a GET stream. */
  readonly isListening: boolean
  /** Requests of the server that no check has handled yet. */
  readonly requests: Json[]
  readonly notifications: readonly Json[]
  request(method: string, params: Json): PendingRequest & { readonly id: number }
  /** Sends the response to a request of the server. */
  respond(id: unknown, result: Json, headers?: Readonly<Record<string, string>>): Promise<Exchange>
  notify(method: string, params?: Json): Promise<void>
  /** Resolves when the next message arrives. */
  nextMessage(): Promise<void>
  close(): Promise<void>
}

export type SessionResult = { readonly session: Session } | { readonly refusal: string }

/** Initializes a session, or returns in words how the server refused it. */
export async function openSession(client: Client, capabilities: Json): Promise<SessionResult> {
  const connection = createConnection(client, capabilities)
  const reply = await connection.request("initialize", {
    protocolVersion: client.revision,
    capabilities,
    clientInfo: { name: "url-mode-checks", version: "1" },
  }).reply
  const revision = dig(reply.message, "result", "protocolVersion")
  connection.negotiated.id = reply.headers.get("mcp-session-id") ?? undefined
  if (revision !== client.revision) {
    await connection.close()
    const refusal =
      revision === undefined ? `answers initialize with HTTP ${reply.status}` : `offers ${String(revision)}`
    return { refusal }
  }
  connection.negotiated.revision = client.revision
  await connection.notify("notifications/initialized")
  const isListening = await connection.listen()
  return { session: { ...connection, id: connection.negotiated.id, isListening } }
}

/** Uses a session that another client opened. Closing the result does not end the session. */
export function adoptSession(client: Client, capabilities: Json, id: string): Session {
  const connection = createConnection(client, capabilities)
  Object.assign(connection.negotiated, { revision: client.revision, id })
  return { ...connection, id, isListening: false, close: async () => connection.closeStreams() }
}

interface Negotiated {
  revision: string | undefined
  id: string | undefined
}

interface Connection extends Omit<Session, "id" | "isListening"> {
  readonly negotiated: Negotiated
  listen(): Promise<boolean>
  /** Closes all streams of the connection. */
  closeStreams(): void
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: "GET" | "DELETE"
  readonly signal?: AbortSignal
  readonly onMessage?: (message: Json, head: Head) => void
}

let lastId = 0

function createConnection(client: Client, capabilities: Json): Connection {
  const closeController = new AbortController()
  const negotiated: Negotiated = { revision: undefined, id: undefined }
  const requests: Json[] = []
  const notifications: Json[] = []
  let nextArrival = Promise.withResolvers<void>()

  const receive = (message: Json): void => {
    if (message.method === "ping") void connection.respond(message.id, {}).catch(() => undefined)
    else if (message.method !== undefined) (message.id === undefined ? notifications : requests).push(message)
    nextArrival.resolve()
    nextArrival = Promise.withResolvers<void>()
  }
  const send = (requestMethod: string, body: Json | undefined, options: SendOptions = {}): Promise<Exchange> =>
    exchange({
      fetch: client.target.fetch,
      url: client.target.url,
      headers: {
        ...(negotiated.revision === undefined ? {} : { "mcp-protocol-version": negotiated.revision }),
        ...(negotiated.id === undefined ? {} : { "mcp-session-id": negotiated.id }),
        ...headersOf(client),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(options.method === undefined ? {} : { method: options.method }),
      signal: options.signal ?? closeController.signal,
      onMessage(message, head) {
        client.log.push({ revision: client.revision, capabilities, requestMethod, ...head, message })
        receive(message)
        options.onMessage?.(message, head)
      },
    })

  const connection: Connection = {
    negotiated,
    requests,
    notifications,
    request(method, params) {
      const id = ++lastId
      const abort = new AbortController()
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      promise.catch(() => undefined)
      const signal = AbortSignal.any([abort.signal, closeController.signal])
      const onMessage = (message: Json, head: Head): void => {
        if (message.method === undefined) resolve({ ...head, message })
      }
      const sendAndRead = async (): Promise<void> => {
        const { status, headers, ended } = await send(
          method,
          { jsonrpc: "2.0", id, method, params },
          { signal, onMessage },
        )
        await ended
        if (!signal.aborted) resolve({ status, headers, message: {} })
      }
      sendAndRead().catch(reject)
      return { id, reply: promise, abort: () => abort.abort() }
    },
    respond: (id, result, headers = {}) => send("response", { jsonrpc: "2.0", id, result }, { headers }),
    async notify(method, params) {
      await (await send(method, { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) })).ended
    },
    nextMessage: () => nextArrival.promise,
    /** Whether the server opens a GET stream in time. A server without this stream may respond with 405. */
    async listen() {
      const pendingStream = send("stream", undefined, { method: "GET" })
      pendingStream.catch(() => undefined)
      const head = await withTimeout(pendingStream, client.target.quietMs ?? 1_500)
      return head?.status === 200
    },
    closeStreams: () => closeController.abort(),
    async close() {
      closeController.abort()
      if (negotiated.id === undefined) return
      const deletion = send("DELETE", undefined, { method: "DELETE", signal: AbortSignal.timeout(5_000) })
      await deletion.then(({ ended }) => ended).catch(() => undefined)
    },
  }
  return connection
}
