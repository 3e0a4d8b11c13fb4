// Clients up to 2025-11-25 over HTTP. Each request is served by a server of its own, whichever process it reaches; what
// belongs together is found by the sealed session id, and by the ids that our own requests carry.

import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { withAccessTools } from "./access.ts"
import type { Answers } from "./answers.ts"
import { watchAnswers } from "./answers.ts"
import type { Arrival } from "./arrival.ts"
import { toResponse } from "./arrival.ts"
import { cancelCall, parentOf, parentsOf } from "./cancel.ts"
import { isRequestId, memberOf, toClient } from "./client.ts"
import { lost, watchDelivery } from "./delivery.ts"
import { isStream, whenBegun } from "./held-response.ts"
import { readIncoming } from "./incoming.ts"
import { receive } from "./push.ts"
import { createRelay } from "./relay.ts"
import type { Sessions } from "./sessions.ts"
import { createSessions } from "./sessions.ts"
import type { McpOptions } from "./settings.ts"
import type { Session } from "./state.ts"
import { createStreams } from "./stream.ts"
import type { Connection, Surface } from "./surface.ts"
import { connections, principalOf } from "./surface.ts"
import { serveTrack, trackMethod } from "./track.ts"
import { createUnderWay } from "./under-way.ts"
import type { Drafts } from "./wire.ts"
import { cancelledNotification, toDraft, toError } from "./wire.ts"

export interface Legacy {
  post(request: Request, body: unknown, arrival: Arrival): Promise<Response>
  /** GET and DELETE, of sessions. */
  other(request: Request, arrival: Arrival): Promise<Response>
  close(): Promise<void>
}

export function createLegacy(surface: Surface, options: McpOptions): Legacy {
  const isStateless = options.legacy === "stateless"
  const factory = withAccessTools(surface, options)
  const sessions = createSessions(surface)
  const streams = createStreams(surface, sessions, options.bus)
  const relay = createRelay(surface.runtime.newId)
  /** Requests that are held here: what cancels them arrives as a request of its own, here or at another process. */
  const held = new Map<string, Held>()
  const underWay = createUnderWay(surface, (call) => held.get(call)?.takeBack())

  const serve = async (request: Request, body: unknown, { arrival, session, text }: From): Promise<Response> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      ...(text === undefined ? {} : { sessionIdGenerator: () => text }),
      enableJsonResponse: isStateless,
    })
    let ends: readonly (() => void)[] = []
    const onWork = (requestId: RequestId): void => {
      if (session === undefined) return
      const { tenant } = principalOf({ caller: arrival.caller, session: session.id }, "")
      ends = ends.concat(underWay.begin({ session: session.id, requestId, tenant }))
    }
    const connection = { ...toConnection(surface, sessions, arrival, { session, transport, isStateless }), onWork }
    const ids = register(connection, body)
    const { drafts } = surface.settings
    if (drafts !== undefined) rewriteErrors(transport, drafts)
    const leave = session === undefined || isStateless ? () => {} : relay.join(transport, session.id, ids[0])
    const { authInfo } = arrival
    const auth = authInfo === undefined ? {} : { authInfo }
    return connections.run(connection, async () => {
      const product = await factory({ era: "legacy", requestInfo: request, ...auth })
      // The server is made for this request alone.
      if (messagesOf(body).some((message) => memberOf(message, "method") === trackMethod)) serveTrack(product)
      await product.connect(transport)
      const answers = watchAnswers(transport, ids)
      const mine = ids.map((id) => [nameOf(session, id), toHeld(surface, transport, { id, answers })] as const)
      for (const [name, one] of mine) held.set(name, one)
      const end = (): void => {
        leave()
        for (const endOne of ends) endOne()
        for (const [name, one] of mine) if (held.get(name) === one) held.delete(name)
        product.close().catch((error: unknown) => surface.report("ending a request", error))
      }
      const handled = transport.handleRequest(request, { parsedBody: body, ...auth })
      const response = await answers.orGivenUp(handled)
      // In this era a lost connection is no cancellation: the call goes on, and whoever is asked may still answer.
      if (isStream(response)) answers.whenOver(end)
      else end()
      const gone = (): void => {
        for (const one of connection.incoming.values()) if (one.isAnswered !== true) lost(surface, one)
      }
      request.signal.addEventListener("abort", gone, { once: true })
      return watchDelivery(response, connection, await whenBegun(response, surface.pulse))
    })
  }

  const post = async (request: Request, body: unknown, arrival: Arrival): Promise<Response> => {
    const given = request.headers.get("mcp-session-id")
    if (memberOf(body, "method") === "initialize") {
      const { session, text } = sessions.begin(body, arrival.caller)
      return serve(request, body, { arrival, session, text })
    }
    const session = given === null ? undefined : await sessions.open(given, arrival.caller)
    if (given !== null && session === undefined) return noSession()
    const connection = toConnection(surface, sessions, arrival, { session, isStateless })
    const refused = Array.isArray(body) ? refuseBatch(body) : undefined
    if (refused !== undefined) return refused
    const rest: unknown[] = []
    for (const message of messagesOf(body)) {
      const isTaken =
        relay.receive(connection.session, message) ||
        (await receive(connection, message)) ||
        (await cancel(connection, message))
      if (!isTaken) rest.push(message)
    }
    if (rest.length === 0) return new Response(null, { status: 202 })
    return serve(request, Array.isArray(body) ? rest : rest[0], { arrival, session })
  }

  const cancel = async (connection: Connection, message: unknown): Promise<boolean> => {
    const id = memberOf(memberOf(message, "params"), "requestId")
    if (memberOf(message, "method") !== "notifications/cancelled" || !isRequestId(id)) return false
    const { session } = connection
    if (session === undefined) return true
    const here = held.get(parentOf(session, id))
    here?.takeBack(message as JSONRPCMessage)
    if (here !== undefined) return true
    await underWay.takeBack(session, id)
    await cancelCall(connection, id)
    return true
  }

  return {
    post,
    async other(request, arrival) {
      const given = request.headers.get("mcp-session-id")
      if (isStateless || !["GET", "DELETE"].includes(request.method)) return notAllowed()
      if (given === null)
        return toResponse(400, toError(null, -32_000, "Bad Request: Mcp-Session-Id header is required"))
      const session = await sessions.open(given, arrival.caller)
      if (session === undefined) return noSession()
      const { caller } = arrival
      if (request.method === "GET")
        return streams.open(request, session, principalOf({ caller, session: session.id }, ""))
      await sessions.end(session, caller)
      streams.end(session)
      // Nobody could answer what they ask any more.
      const ofSession = parentsOf(session.id)
      for (const [name, { transport }] of held) if (name.startsWith(ofSession)) await transport.close()
      await underWay.takeBackAll(session.id, principalOf({ caller, session: session.id }, "").tenant)
      return new Response(null, { status: 200 })
    },
    async close() {
      streams.close()
      for (const { transport } of held.values()) transport.close().catch(() => {})
      await underWay.close()
    },
  }
}

interface From {
  readonly arrival: Arrival
  readonly session: Session | undefined
  /** The session's id as its client will know it, when it begins. */
  readonly text?: string
}

interface Held {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Its client waits for no answer any more. */
  takeBack(message?: JSONRPCMessage): void
}

function toHeld(
  { runtime }: Surface,
  transport: WebStandardStreamableHTTPServerTransport,
  { id, answers }: { readonly id: RequestId; readonly answers: Answers },
): Held {
  return {
    transport,
    takeBack(message = cancelledNotification(id, "The client took the call back.")) {
      transport.onmessage?.(message)
      runtime.after(withdrawMs, () => answers.giveUp(id))
    },
  }
}

/** A call that was taken back takes its questions back, on the same stream. */
const withdrawMs = 1_000

const nameOf = (session: Session | undefined, id: RequestId): string => parentOf(session?.id ?? "", id)

const noSession = (): Response => toResponse(404, toError(null, -32_001, "Session not found"))

/** What is in a batch is looked at message by message, and requests are told apart by their ids. */
function refuseBatch(batch: readonly unknown[]): Response | undefined {
  const ids = batch.flatMap((message) => (memberOf(message, "method") === undefined ? [] : [memberOf(message, "id")]))
  const named = ids.filter(isRequestId)
  if (batch.length > mostInBatch)
    return toResponse(400, toError(null, -32_600, `Invalid Request: Batch must not exceed ${mostInBatch} messages`))
  if (new Set(named.map(String)).size < named.length)
    return toResponse(400, toError(null, -32_600, "Invalid Request: two requests of the batch have the same id"))
  return undefined
}

/** As in the SDK. */
const mostInBatch = 100

function notAllowed(): Response {
  const response = toResponse(405, toError(null, -32_000, "Method not allowed."))
  response.headers.set("allow", "POST")
  return response
}

function toConnection(
  surface: Surface,
  sessions: Sessions,
  { caller }: Arrival,
  how: {
    readonly session: Session | undefined
    readonly transport?: WebStandardStreamableHTTPServerTransport
    readonly isStateless: boolean
  },
): Connection {
  const { session, transport, isStateless } = how
  const { settings } = surface
  const isReachable = session !== undefined && !isStateless
  const modes = session?.modes ?? settings.assume
  // Who says nothing of itself is assumed to speak the newest of its era.
  const revision = session === undefined ? "2025-11-25" : session.revision
  const client = toClient({ revision, modes, info: session, isReachable }, settings.clients)
  return {
    ...{ surface, caller, isLasting: true },
    via: session === undefined ? "mcp" : `mcp ${session.id}`,
    client: () => client,
    incoming: new Map(),
    ...(session === undefined
      ? {}
      : { session: session.id, promise: (elicitation: string) => sessions.promise(session, caller, elicitation) }),
    ...(transport === undefined || !isReachable
      ? {}
      : {
          send: (message: object, relatedRequestId: RequestId) =>
            transport.send(message as JSONRPCMessage, { relatedRequestId }),
        }),
  }
}

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body])

/** What is called, by request. */
function register(connection: Connection, body: unknown): readonly RequestId[] {
  let ids: readonly RequestId[] = []
  for (const message of messagesOf(body)) {
    const id = memberOf(message, "id")
    if (!isRequestId(id) || memberOf(message, "method") === undefined) continue
    // By concat: what is pushed into leaves room for sixteen more.
    ids = ids.concat(id)
    const incoming = readIncoming(message)
    if (incoming !== undefined) connection.incoming.set(id, incoming)
  }
  return ids
}

/** The drafts of url mode had another code for it. */
function rewriteErrors(
  transport: { send(message: JSONRPCMessage, options?: object): Promise<void> },
  drafts: Drafts,
): void {
  const send = transport.send.bind(transport)
  transport.send = (message, sendOptions) => send(toDraft(message, drafts), sendOptions)
}
