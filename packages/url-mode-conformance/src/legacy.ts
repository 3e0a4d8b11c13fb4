// A client of the older revisions: initializes a session, listens on a GET stream, and answers requests that the server
// sends on any stream.

import type { Line } from "./dialogue.ts"
import { headersOf, within } from "./dialogue.ts"
import type { Exchange, Head } from "./exchange.ts"
import { exchange } from "./exchange.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import type { Reply, Sent } from "./modern.ts"

export interface Session {
  /** Undefined when the server keeps no sessions. */
  readonly id: string | undefined
  /** Whether the server opened a GET stream. */
  readonly isListening: boolean
  /** Requests of the server that were not handled yet. */
  readonly requests: Json[]
  readonly notifications: readonly Json[]
  request(method: string, params: Json): Sent & { readonly id: number }
  /** Sends the response to a request of the server. */
  respond(id: unknown, result: Json, headers?: Readonly<Record<string, string>>): Promise<Exchange>
  notify(method: string, params?: Json): Promise<void>
  /** Resolves with the next message. */
  nextMessage(): Promise<void>
  close(): Promise<void>
}

export type Opened = { readonly session: Session } | { readonly refused: string }

/** Initializes a session. On failure, says what the server did instead. */
export async function openSession(line: Line, capabilities: Json): Promise<Opened> {
  const wires = createWires(line, capabilities)
  const reply = await wires.request("initialize", {
    protocolVersion: line.revision,
    capabilities,
    clientInfo: { name: "url-mode-checks", version: "1" },
  }).reply
  const revision = dig(reply.message, "result", "protocolVersion")
  wires.agreed.id = reply.headers.get("mcp-session-id") ?? undefined
  if (revision !== line.revision) {
    await wires.close()
    const why = revision === undefined ? `answers initialize with HTTP ${reply.status}` : `offers ${String(revision)}`
    return { refused: why }
  }
  wires.agreed.revision = line.revision
  await wires.notify("notifications/initialized")
  const isListening = await wires.listen()
  return { session: { ...wires, id: wires.agreed.id, isListening } }
}

/** Continues in a session that another client opened, and leaves it open. */
export function adoptSession(line: Line, capabilities: Json, id: string): Session {
  const wires = createWires(line, capabilities)
  Object.assign(wires.agreed, { revision: line.revision, id })
  return { ...wires, id, isListening: false, close: async () => wires.hangUp() }
}

interface Agreed {
  revision: string | undefined
  id: string | undefined
}

interface Wires extends Omit<Session, "id" | "isListening"> {
  readonly agreed: Agreed
  listen(): Promise<boolean>
  /** Closes all streams. */
  hangUp(): void
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: "GET" | "DELETE"
  readonly signal?: AbortSignal
  readonly onMessage?: (message: Json, head: Head) => void
}

let lastId = 0

function createWires(line: Line, capabilities: Json): Wires {
  const ends = new AbortController()
  const agreed: Agreed = { revision: undefined, id: undefined }
  const requests: Json[] = []
  const notifications: Json[] = []
  let bell = Promise.withResolvers<void>()

  const take = (message: Json): void => {
    if (message.method === "ping") void wires.respond(message.id, {}).catch(() => undefined)
    else if (message.method !== undefined) (message.id === undefined ? notifications : requests).push(message)
    bell.resolve()
    bell = Promise.withResolvers<void>()
  }
  const send = (during: string, body: Json | undefined, more: SendOptions = {}): Promise<Exchange> =>
    exchange({
      fetch: line.target.fetch,
      url: line.target.url,
      headers: {
        ...(agreed.revision === undefined ? {} : { "mcp-protocol-version": agreed.revision }),
        ...(agreed.id === undefined ? {} : { "mcp-session-id": agreed.id }),
        ...headersOf(line),
        ...more.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(more.method === undefined ? {} : { method: more.method }),
      signal: more.signal ?? ends.signal,
      onMessage(message, head) {
        line.log.push({ revision: line.revision, capabilities, during, ...head, message })
        take(message)
        more.onMessage?.(message, head)
      },
    })

  const wires: Wires = {
    agreed,
    requests,
    notifications,
    request(method, params) {
      const id = ++lastId
      const abort = new AbortController()
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      promise.catch(() => undefined)
      const signal = AbortSignal.any([abort.signal, ends.signal])
      const onMessage = (message: Json, head: Head): void => {
        if (message.method === undefined) resolve({ ...head, message })
      }
      const wholly = async (): Promise<void> => {
        const { status, headers, ended } = await send(
          method,
          { jsonrpc: "2.0", id, method, params },
          { signal, onMessage },
        )
        await ended
        if (!signal.aborted) resolve({ status, headers, message: {} })
      }
      wholly().catch(reject)
      return { id, reply: promise, abort: () => abort.abort() }
    },
    respond: (id, result, headers = {}) => send("response", { jsonrpc: "2.0", id, result }, { headers }),
    async notify(method, params) {
      await (await send(method, { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) })).ended
    },
    nextMessage: () => bell.promise,
    /** 405 is allowed; a stream that does not start in time counts as none. */
    async listen() {
      const opening = send("stream", undefined, { method: "GET" })
      opening.catch(() => undefined)
      const head = await within(opening, line.target.quietMs ?? 1_500)
      return head?.status === 200
    },
    hangUp: () => ends.abort(),
    async close() {
      ends.abort()
      if (agreed.id === undefined) return
      const last = send("DELETE", undefined, { method: "DELETE", signal: AbortSignal.timeout(5_000) })
      await last.then(({ ended }) => ended).catch(() => undefined)
    },
  }
  return wires
}
