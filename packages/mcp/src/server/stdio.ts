// Serves one client over stdio, or over any other persistent transport, in any protocol revision.

import type { Readable, Writable } from "node:stream"
import type { Entry, Principal } from "@holdpoint/hub"
import { isObject, isTooDeep } from "@holdpoint/hub/internal"
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { withAccessTools } from "./access.ts"
import type { Client } from "./client.ts"
import { isRequestId, memberOf, modesOf, revisionOf, toClient } from "./client.ts"
import { noteClientGone, noteDelivered } from "./delivery.ts"
import { claimCall, readIncoming } from "./incoming.ts"
import type { McpOptions } from "./settings.ts"
import { toLines } from "./stdin.ts"
import type { Caller, Connection, Incoming, Surface } from "./surface.ts"
import { connections, modernClient, noteProtocol, withReportedErrors } from "./surface.ts"
import { serveTrack } from "./track.ts"
import { completeNotification, invalidState, toDraft, toError, tooDeep } from "./wire.ts"

/** One connection over stdin and stdout, or over another persistent transport. */
export interface McpStdio {
  /** Resolves when the client has disconnected. A program that serves only this client should exit then. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

export interface StdioOptions {
  /** Default: standard input and output. */
  readonly transport?: Transport | Streams
  /** The caller on this connection, verified by the program that opens it. Default: according to `callers`. */
  readonly caller?: Principal
  /**
   * The parent of all questions that are asked on this connection, for a program that waits for them at the same hub: its
   * client gets their ids.
   */
  readonly parent?: string
  /**
   * The id of the call that the requests on this connection make, for a program that may send a request again when it
   * does not know what became of it: a request with the same id continues the same call.
   */
  readonly call?: string | undefined
  /**
   * False when the person cannot be asked. Then no question is stored, and each question of a handler ends as
   * `unsupported`.
   */
  readonly canAsk?: boolean
}

/** A pair of streams, in place of the process's own. */
export interface Streams {
  readonly input: Readable
  readonly output: Writable
}

export function createStdio(
  surface: Surface,
  options: McpOptions,
  { transport, caller, parent, call, canAsk, onEnd }: StdioOptions & { readonly onEnd: () => void },
): McpStdio {
  const { wire, release } = toWire(surface, transport)
  const connection = toConnection(surface, { caller: callerOf(options, caller), wire, parent, call, canAsk })
  const ownState = new Set(options.ownState)
  const { drafts } = surface.settings
  const inner: Transport = {
    start: () => wire.start(),
    async close() {
      connection.end()
      await wire.close()
    },
    async send(message, sendOptions) {
      const incoming = connection.takeAnswered(message)
      await wire.send(drafts === undefined ? message : toDraft(message, drafts), sendOptions)
      if (incoming !== undefined) noteDelivered(surface, incoming)
    },
  }
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<void>()
  wire.onclose = () => {
    release()
    connection.end()
    onEnd()
    resolveClosed()
    inner.onclose?.()
  }
  wire.onerror = (error) => {
    // A transport that the program passed in closes after this error, so the reason is reported.
    if (tooLongError.test(error.message))
      surface.report("reading a message", new Error(`${tooLong}, and the connection is closed`, { cause: error }))
    inner.onerror?.(error)
  }
  wire.onmessage = (message: JSONRPCMessage) => {
    if (isTooDeep(message)) return refuseDeep(surface, wire, message)
    receiveMessage(connection, message, ownState, inner).catch((error: unknown) =>
      surface.report("reading a message", error),
    )
  }
  const factory = withReportedErrors(surface, withAccessTools(surface, options))
  const handle = serveStdio(
    async (context) => {
      const product = await factory(context)
      if (context.era === "legacy") serveTrack(product)
      return product
    },
    { transport: inner, onerror: (error) => noteProtocol(surface, error) },
  )
  return { closed, close: () => handle.close() }
}

interface OpenTransport {
  readonly wire: Transport
  release(): void
}

function toWire(surface: Surface, streams: StdioOptions["transport"]): OpenTransport {
  if (streams !== undefined && "send" in streams) return { wire: streams, release() {} }
  const { input, output } = streams ?? { input: process.stdin, output: process.stdout }
  const { lines, stop } = toLines(input, (id) => {
    if (id === undefined) surface.report("reading a message", new Error(`${tooLong}. It was dropped.`))
    else refuse(surface, wire, toError(id, -32_600, `Invalid Request: ${tooLong}. Send large content in parts.`))
  })
  const wire = new StdioServerTransport(lines, output)
  return { wire, release: stop }
}

const tooLong = "the message is longer than 10 MiB"

/** Matches the error message of the SDK's transport for a message that is too long. */
const tooLongError = /exceeded maximum size/

/** Refuses a message that is nested too deeply. Only requests get an error response. */
function refuseDeep(surface: Surface, wire: Transport, message: JSONRPCMessage): void {
  const id = memberOf(message, "id")
  const refusal = tooDeep(id)
  if (memberOf(message, "method") === undefined || id === undefined)
    surface.report("reading a message", new Error(refusal.error.message))
  else refuse(surface, wire, refusal)
}

function refuse(surface: Surface, wire: Transport, refusal: object): void {
  wire.send(refusal as JSONRPCMessage).catch((error: unknown) => surface.report("refusing a message", error))
}

/** The caller on stdio. Stdio proves no identity: the caller is the person at this machine, or anonymous. */
function callerOf({ callers }: McpOptions, explicit: Principal | undefined): Caller {
  const principal = explicit ?? (typeof callers === "object" && "local" in callers ? callers.local : undefined)
  return principal === undefined ? { clientId: "" } : { principal, clientId: "" }
}

interface StdioConnection extends Connection {
  declare(client: Client): void
  /** Removes the request that this message answers, and returns it. Undefined when the message answers none. */
  takeAnswered(message: JSONRPCMessage): Incoming | undefined
  end(): void
}

async function receiveMessage(
  connection: StdioConnection,
  message: JSONRPCMessage,
  ownState: ReadonlySet<string>,
  inner: Transport,
): Promise<void> {
  // Responses only follow pushed requests, and nothing is pushed before the first call, so push.ts is loaded on demand.
  if (memberOf(message, "method") === undefined) {
    const { receive } = await import("./push.ts")
    if (await receive(connection, message)) return
  }
  const { surface } = connection
  const id = memberOf(message, "id")
  const params = memberOf(message, "params")
  const meta = memberOf(params, "_meta")
  if (memberOf(message, "method") === "initialize") connection.declare(legacyClient(surface, params))
  else if (isObject(meta) && "io.modelcontextprotocol/protocolVersion" in meta)
    connection.declare(modernClient(meta, surface.settings.clients))
  let incoming = readIncoming(message)
  if (incoming !== undefined && isRequestId(id) && connection.incoming.has(id))
    return connection.send?.(toError(id, -32_600, "Invalid Request: a request with this id is under way"), id)
  const requestState = memberOf(params, "requestState")
  if (incoming !== undefined && requestState !== undefined && !ownState.has(incoming.name)) {
    incoming = await claimCall(connection, incoming, requestState)
    if (incoming === undefined) return inner.send(invalidState(id) as JSONRPCMessage)
  }
  if (incoming !== undefined && isRequestId(id)) connection.incoming.set(id, incoming)
  // The SDK never answers a cancelled request, so the request is removed here.
  if (memberOf(message, "method") === "notifications/cancelled")
    connection.incoming.delete(memberOf(params, "requestId") as RequestId)
  connections.run(connection, () => inner.onmessage?.(message))
}

function legacyClient({ settings }: Surface, params: unknown): Client {
  const revision = revisionOf(memberOf(params, "protocolVersion"))
  const servedRevision = revision === "2026-07-28" ? "2025-11-25" : revision
  const modes = modesOf(memberOf(params, "capabilities"), servedRevision)
  const info = memberOf(params, "clientInfo")
  return toClient({ revision: servedRevision, modes, info, isReachable: true }, settings.clients)
}

interface StdioParts {
  readonly caller: Caller
  readonly wire: Transport
  readonly parent: string | undefined
  readonly call: string | undefined
  readonly canAsk: boolean | undefined
}

function toConnection(surface: Surface, { caller, wire, parent, call, canAsk = true }: StdioParts): StdioConnection {
  const session = surface.runtime.newId()
  const incoming: Connection["incoming"] = new Map()
  const pendingLinks = new Set<string>()
  let client: Client = { revision: undefined, form: false, url: false, isReachable: true }
  const send = (message: object): Promise<void> => wire.send(message as JSONRPCMessage)
  const onEntry = ({ id, kind }: Entry): void => {
    if (kind !== "completed" || !pendingLinks.delete(id)) return
    send(completeNotification(id)).catch((error: unknown) =>
      surface.report("notifying a client of a completed question", error),
    )
  }
  const unfollow = surface.followers.followAll(onEntry)
  return {
    ...{ surface, caller, session, call, incoming, send: (message: object, _id: RequestId) => send(message) },
    ...(parent === undefined ? {} : { parent }),
    canAsk,
    outlivesProcess: false,
    via: `mcp ${session}`,
    client: () => client,
    async addLink(elicitation) {
      pendingLinks.add(elicitation)
    },
    declare(declared) {
      client = declared
    },
    takeAnswered(message) {
      const id = memberOf(message, "id")
      if (!isRequestId(id) || memberOf(message, "method") !== undefined) return undefined
      const request = incoming.get(id)
      incoming.delete(id)
      return request
    },
    end() {
      unfollow()
      for (const request of incoming.values()) noteClientGone(surface, request)
    },
  }
}
