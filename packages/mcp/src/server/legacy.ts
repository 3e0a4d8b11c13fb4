// Clients up to 2025-11-25 over HTTP. Each request gets its own server, in whichever process it reaches. The sealed
// session id, and the ids of requests to the client, tell any process which session and question a message is about.

import type { Runtime } from "@holdpoint/hub"
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"
import { withAccessTools } from "./access.ts"
import type { Answers } from "./answers.ts"
import { watchAnswers } from "./answers.ts"
import type { AuthenticatedCaller } from "./authenticate.ts"
import { toResponse } from "./authenticate.ts"
import { cancelCall, parentOf, parentsOf } from "./cancel.ts"
import type { Client } from "./client.ts"
import { isRequestId, memberOf, toClient } from "./client.ts"
import { noteClientGone, watchDelivery } from "./delivery.ts"
import { isStream, waitForStream } from "./held-response.ts"
import { readIncoming } from "./incoming.ts"
import { receive } from "./push.ts"
import { createResponseRouter } from "./response-router.ts"
import { createResumption } from "./resume.ts"
import { createRunningCalls } from "./running-calls.ts"
import type { Sessions } from "./sessions.ts"
import { createSessions } from "./sessions.ts"
import type { McpOptions } from "./settings.ts"
import type { Session } from "./state.ts"
import { createStreams } from "./stream.ts"
import type { Caller, Connection, Surface } from "./surface.ts"
import { connections, principalOf } from "./surface.ts"
import { serveTrack, trackMethod } from "./track.ts"
import type { Drafts } from "./wire.ts"
import { cancelledNotification, toDraft, toError } from "./wire.ts"

export interface Legacy {
  post(request: Request, body: unknown, arrival: AuthenticatedCaller): Promise<Response>
  /** Serves GET and DELETE requests of sessions. */
  respond(request: Request, arrival: AuthenticatedCaller): Promise<Response>
  close(): Promise<void>
}

export function createLegacy(surface: Surface, options: McpOptions): Legacy {
  const isStateless = options.legacy === "stateless"
  const factory = withAccessTools(surface, options)
  const sessions = createSessions(surface)
  const streams = createStreams(surface, sessions, options.bus)
  const responseRouter = createResponseRouter(surface.runtime.newId)
  const resumption = createResumption(surface.runtime)
  /**
   * The requests held in this process. Their cancellation arrives as a separate request, at this or another process.
   */
  const heldCalls = new Map<string, Held>()
  const runningCalls = createRunningCalls(surface, (call) => heldCalls.get(call)?.cancel())

  const begin = (body: unknown, { arrival: { caller }, session, newSealedId }: RequestOrigin): Served => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      ...(newSealedId === undefined ? {} : { sessionIdGenerator: () => newSealedId }),
      enableJsonResponse: isStateless,
    })
    const onWork = (requestId: RequestId): void => {
      if (session === undefined) return
      const { tenant } = principalOf({ caller, session: session.id }, "")
      served.ends = served.ends.concat(runningCalls.begin({ session: session.id, requestId, tenant }))
    }
    const connection = new LegacyConnection(surface, sessions, caller, { session, transport, isStateless, onWork })
    const ids = register(connection, body)
    const { drafts } = surface.settings
    if (drafts !== undefined) rewriteErrors(transport, drafts)
    const ends = session === undefined || isStateless ? [] : [responseRouter.join(transport, session.id, ids[0])]
    const served: Served = { transport, connection, session, ids, ends }
    return served
  }

  /**
   * Serves one request. Whatever its callbacks capture stays in memory for as long as the request is held, so they do
   * not capture the request or its body.
   */
  const serve = async (served: Served, { request, signal, body, authInfo }: LegacyRequest): Promise<Response> => {
    const { transport, connection, session, ids } = served
    const auth = authInfo === undefined ? {} : { authInfo }
    const product = await factory({ era: "legacy", requestInfo: request, ...auth })
    // The server exists for this request only, so it gets the method only when this request calls it.
    if (messagesOf(body).some((message) => memberOf(message, "method") === trackMethod)) serveTrack(product)
    await product.connect(transport)
    const answers = watchAnswers(transport, ids)
    const heldRequests = ids.map((id) => new Held(surface, transport, { name: nameOf(session, id), id, answers }))
    for (const request of heldRequests) heldCalls.set(request.name, request)
    const end = (): void => {
      for (const callback of served.ends) callback()
      for (const request of heldRequests) if (heldCalls.get(request.name) === request) heldCalls.delete(request.name)
      product.close().catch((error: unknown) => surface.report("ending a request", error))
    }
    const response = await answers.untilGivenUp(transport.handleRequest(request, { parsedBody: body, ...auth }))
    // In these revisions a lost connection is not a cancellation: the call continues, and the person may still answer.
    if (isStream(response)) answers.callOnEnd(end)
    else end()
    const noteGone = (): void => {
      for (const incoming of connection.incoming.values())
        if (incoming.isAnswered !== true) noteClientGone(surface, incoming)
    }
    signal.addEventListener("abort", noteGone, { once: true })
    const reading = await waitForStream(response, surface.heartbeat)
    if (session === undefined || reading === undefined || connection.incoming.size === 0)
      return watchDelivery(response, connection, reading)
    const onResumed = (): void => signal.removeEventListener("abort", noteGone)
    return resumption.begin(reading, { session, connection, onResumed })
  }

  const serveWithin = (request: Request, body: unknown, from: RequestOrigin): Promise<Response> => {
    const { url, method, headers, signal } = request
    const served = begin(body, from)
    // A copy without the body, which was already read: the SDK keeps the request in memory for as long as it is held.
    const legacyRequest = { request: new Request(url, { method, headers, signal }), signal, body, ...from.arrival }
    return connections.run(served.connection, () => serve(served, legacyRequest))
  }

  const post = async (request: Request, body: unknown, arrival: AuthenticatedCaller): Promise<Response> => {
    const sealedId = request.headers.get("mcp-session-id")
    if (memberOf(body, "method") === "initialize") {
      const { session, sealedId: newSealedId } = sessions.begin(body, arrival.caller)
      return serveWithin(request, body, { arrival, session, newSealedId })
    }
    const session = sealedId === null ? undefined : await sessions.open(sealedId, arrival.caller)
    if (sealedId !== null && session === undefined) return noSession()
    const connection = new LegacyConnection(surface, sessions, arrival.caller, { session, isStateless })
    const refusal = Array.isArray(body) ? refuseBatch(body) : undefined
    if (refusal !== undefined) return refusal
    const remaining: unknown[] = []
    for (const message of messagesOf(body)) {
      const isHandled =
        responseRouter.receive(connection.session, message) ||
        (await receive(connection, message)) ||
        (await cancel(connection, message))
      if (!isHandled) remaining.push(message)
    }
    if (remaining.length === 0) return new Response(null, { status: 202 })
    return serveWithin(request, Array.isArray(body) ? remaining : remaining[0], { arrival, session })
  }

  const cancel = async (connection: Connection, message: unknown): Promise<boolean> => {
    const id = memberOf(memberOf(message, "params"), "requestId")
    if (memberOf(message, "method") !== "notifications/cancelled" || !isRequestId(id)) return false
    const { session } = connection
    if (session === undefined) return true
    const heldCall = heldCalls.get(parentOf(session, id))
    heldCall?.cancel(message as JSONRPCMessage)
    if (heldCall !== undefined) return true
    await runningCalls.cancel(session, id)
    await cancelCall(connection, id)
    return true
  }

  return {
    post,
    async respond(request, arrival) {
      const sealedId = request.headers.get("mcp-session-id")
      if (isStateless || !["GET", "DELETE"].includes(request.method)) return notAllowed()
      if (sealedId === null)
        return toResponse(400, toError(null, -32_000, "Bad Request: Mcp-Session-Id header is required"))
      const session = await sessions.open(sealedId, arrival.caller)
      if (session === undefined) return noSession()
      const { caller } = arrival
      const lastEvent = request.headers.get("last-event-id")
      const resumed =
        request.method === "GET" && lastEvent !== null ? resumption.resume(session.id, lastEvent) : undefined
      if (resumed !== undefined) return resumed === "gone" ? noEvent() : resumed
      if (request.method === "GET")
        return streams.open(request, session, principalOf({ caller, session: session.id }, ""))
      await sessions.end(session, caller)
      streams.end(session)
      // Ends the session's calls too, because its client can no longer answer their questions.
      const ofSession = parentsOf(session.id)
      for (const [name, { transport }] of heldCalls) if (name.startsWith(ofSession)) await transport.close()
      await runningCalls.cancelAll(session.id, principalOf({ caller, session: session.id }, "").tenant)
      return new Response(null, { status: 200 })
    },
    async close() {
      streams.close()
      for (const { transport } of heldCalls.values()) transport.close().catch(() => {})
      resumption.close()
      await runningCalls.close()
    },
  }
}

interface RequestOrigin {
  readonly arrival: AuthenticatedCaller
  readonly session: Session | undefined
  /** The sealed id of a new session, as its client gets it. */
  readonly newSealedId?: string
}

/** A request and the server created for it. */
interface Served {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly connection: Connection
  readonly session: Session | undefined
  readonly ids: readonly RequestId[]
  /** Callbacks for the end of the request. */
  ends: readonly (() => void)[]
}

interface LegacyRequest extends Pick<AuthenticatedCaller, "authInfo"> {
  readonly request: Request
  /** Aborted when the client's connection ends. */
  readonly signal: AbortSignal
  readonly body: unknown
}

/** A request that is held open. */
class Held {
  readonly name: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly #runtime: Runtime
  readonly #id: RequestId
  readonly #answers: Answers

  constructor({ runtime }: Surface, transport: Held["transport"], { name, id, answers }: HeldRequest) {
    this.name = name
    this.transport = transport
    this.#runtime = runtime
    this.#id = id
    this.#answers = answers
  }

  /** Cancels the request, because its client no longer waits for the answer. */
  cancel(message?: JSONRPCMessage): void {
    this.transport.onmessage?.(message ?? cancelledNotification(this.#id, "The client cancelled the call."))
    this.#runtime.after(withdrawMs, () => this.#answers.giveUp(this.#id))
  }
}

interface HeldRequest {
  readonly name: string
  readonly id: RequestId
  readonly answers: Answers
}

/** How long the stream of a cancelled call stays open, so that its questions can be withdrawn on it. */
const withdrawMs = 1_000

const nameOf = (session: Session | undefined, id: RequestId): string => parentOf(session?.id ?? "", id)

const noEvent = (): Response =>
  toResponse(
    400,
    toError(null, -32_000, "Bad Request: this process no longer has the events after that one. Call again."),
  )

const noSession = (): Response => toResponse(404, toError(null, -32_001, "Session not found"))

/**
 * Refuses a batch that is too large or uses a request id twice: the messages of a batch are identified by their ids.
 */
function refuseBatch(batch: readonly unknown[]): Response | undefined {
  const ids = batch.flatMap((message) => (memberOf(message, "method") === undefined ? [] : [memberOf(message, "id")]))
  const named = ids.filter(isRequestId)
  if (batch.length > mostInBatch)
    return toResponse(400, toError(null, -32_600, `Invalid Request: Batch must not exceed ${mostInBatch} messages`))
  if (new Set(named.map(String)).size < named.length)
    return toResponse(400, toError(null, -32_600, "Invalid Request: two requests of the batch have the same id"))
  return undefined
}

/** The most messages in a batch, which is the SDK's limit too. */
const mostInBatch = 100

function notAllowed(): Response {
  const response = toResponse(405, toError(null, -32_000, "Method not allowed."))
  response.headers.set("allow", "POST")
  return response
}

interface ConnectionParts {
  readonly session: Session | undefined
  readonly transport?: WebStandardStreamableHTTPServerTransport
  readonly isStateless: boolean
  readonly onWork?: Connection["onWork"]
}

/** The connection of one request of a client up to 2025-11-25. */
class LegacyConnection implements Connection {
  readonly surface: Surface
  readonly caller: Caller
  readonly outlivesProcess = true
  readonly incoming: Connection["incoming"] = new Map()
  readonly session: string | undefined
  readonly via: string
  readonly onWork: Connection["onWork"]
  readonly #declared: Client
  readonly #clientSession: Session | undefined
  readonly #sessions: Sessions
  /** The transport by which the client can be reached. */
  readonly #transport: WebStandardStreamableHTTPServerTransport | undefined

  constructor(surface: Surface, sessions: Sessions, caller: Caller, parts: ConnectionParts) {
    const { session, transport, isStateless, onWork } = parts
    const { settings } = surface
    const isReachable = session !== undefined && !isStateless
    const modes = session?.modes ?? settings.assume
    // A client without a declared revision is assumed to use the newest revision before 2026-07-28.
    const revision = session === undefined ? "2025-11-25" : session.revision
    this.surface = surface
    this.caller = caller
    this.session = session?.id
    this.via = session === undefined ? "mcp" : `mcp ${session.id}`
    this.onWork = onWork
    this.#declared = toClient({ revision, modes, info: session, isReachable }, settings.clients)
    this.#clientSession = session
    this.#sessions = sessions
    this.#transport = isReachable ? transport : undefined
  }

  client(): Client {
    return this.#declared
  }

  async addLink(elicitation: string): Promise<void> {
    if (this.#clientSession !== undefined) await this.#sessions.addLink(this.#clientSession, this.caller, elicitation)
  }

  async send(message: object, relatedRequestId: RequestId): Promise<void> {
    await this.#transport?.send(message as JSONRPCMessage, { relatedRequestId })
  }
}

const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body])

/** Registers the requests of a body with what they call. Returns their ids. */
function register(connection: Connection, body: unknown): readonly RequestId[] {
  let ids: readonly RequestId[] = []
  for (const message of messagesOf(body)) {
    const id = memberOf(message, "id")
    if (!isRequestId(id) || memberOf(message, "method") === undefined) continue
    // Uses concat, because an array that is pushed to reserves room for sixteen more elements.
    ids = ids.concat(id)
    const incoming = readIncoming(message)
    if (incoming !== undefined) connection.incoming.set(id, incoming)
  }
  return ids
}

/** Makes the transport send error -32042 in the form that clients of the url mode drafts expect. */
function rewriteErrors(
  transport: { send(message: JSONRPCMessage, options?: object): Promise<void> },
  drafts: Drafts,
): void {
  const send = transport.send.bind(transport)
  transport.send = (message, sendOptions) => send(toDraft(message, drafts), sendOptions)
}
