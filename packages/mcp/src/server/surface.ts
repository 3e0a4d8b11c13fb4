// The types that the files of this surface share: settings, callers, connections and requests in progress.

import { AsyncLocalStorage } from "node:async_hooks"
import type { Asking } from "@holdpoint/calls"
import type { OpenCall } from "@holdpoint/calls/internal"
import type { Addresses, Principal, Requester, Storage } from "@holdpoint/hub"
import type { Heartbeat } from "@holdpoint/hub/internal"
import type { Tokens } from "@holdpoint/hub/sealing"
import type { McpServerFactory, RequestId, ServerContext } from "@modelcontextprotocol/server"
import type { ChannelSettings } from "./channel.ts"
import type { Client, ClientOverride, Modes } from "./client.ts"
import { modesOf, toClient } from "./client.ts"
import type { Drafts } from "./wire.ts"

export interface Surface extends Asking {
  readonly storage: Storage
  readonly tokens: Tokens
  readonly settings: Settings
  readonly heartbeat: Heartbeat
}

export interface Settings extends ChannelSettings {
  readonly name: string
  /** The name of the only process that may continue its calls. Empty when every process may. */
  readonly instance: string
  /** Who asks: this server, the same object for all calls. */
  readonly requester: Requester
  /** The addresses of the pages. Undefined when this server has no pages. */
  readonly addresses: Addresses | undefined
  /** How long a person has to answer. A question may override it. */
  readonly lifetimeMs: number
  /** How often a call may be answered with a question. The SDK's client gives up after ten. */
  readonly rounds: number
  /**
   * The settings for clients of the drafts, which get -32000 instead of -32042. Undefined when they are switched off.
   */
  readonly drafts: Drafts | undefined
  /** The elicitation modes that are assumed for clients that declare none. */
  readonly assume: Modes
}

/** The caller. An undefined `principal` means an anonymous caller, whose questions belong to no account. */
export interface Caller {
  readonly principal?: Principal
  /** The client id at the authorization server; empty without one. */
  readonly clientId: string
}

/** One request in progress. */
export interface Incoming {
  readonly method: string
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string
  readonly input: unknown
  /** The cached result of `digestOfCall`. */
  digest?: string
  /** The call that this request continues by its request state. */
  readonly claimed?: OpenCall
  /** The call that the request works on, once it is known. */
  call?: OpenCall
  /** The answer of the request. */
  answer?: Promise<unknown>
  /** Whether the handler has ended or is suspended: an abort of the SDK's signal after that is ignored. */
  isAnswered?: boolean
  /** Whether the client is gone. */
  isLost?: boolean
}

/** A connection to a client: a whole stdio connection, or one HTTP request. */
export interface Connection {
  readonly surface: Surface
  readonly caller: Caller
  /** The id of the session. Undefined without a session. */
  readonly session?: string | undefined
  /** The parent of all questions, given by the program that opened the connection and waits for them itself. */
  readonly parent?: string
  /** The id of the call that all requests make, given by that program. */
  readonly call?: string | undefined
  /** False when the person cannot be asked on this connection. Then no question is stored. */
  readonly canAsk?: boolean
  /** Whether the client's session outlives this process. */
  readonly outlivesProcess: boolean
  /** The `via` of trail entries about answers from this connection. */
  readonly via: string
  /** The client, as declared at initialization or, on 2026-07-28, by its latest request. */
  client(): Client
  readonly incoming: Map<RequestId, Incoming>
  /** Called when a request begins to be held for a person. */
  onHeld?(): void
  /** Called when a request begins to work on a call that asks or does something. */
  readonly onWork?: ((requestId: RequestId) => void) | undefined
  /** Sends a message that belongs to a request. Absent when the client cannot receive messages during a request. */
  send?(message: object, requestId: RequestId): Promise<void>
  /** Records that the client received this link and must be notified when the question is completed. */
  addLink?(elicitation: string): Promise<void>
}

export const connections = new AsyncLocalStorage<Connection>()

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
const infoKey = "io.modelcontextprotocol/clientInfo"

/** The capabilities of the client: from the request on 2026-07-28, otherwise as declared at initialization. */
export function clientOf(connection: Connection, { mcpReq }: ServerContext): Client {
  const { envelope } = mcpReq
  if (envelope === undefined) return connection.client()
  return modernClient(envelope as Readonly<Record<string, unknown>>, connection.surface.settings.clients)
}

export function modernClient(
  envelope: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, ClientOverride>>,
): Client {
  const revision = "2026-07-28"
  const modes = modesOf(envelope[capabilitiesKey], revision)
  return toClient({ revision, modes, info: envelope[infoKey], isReachable: false }, overrides)
}

/** The caller's principal. An anonymous caller gets one for their session or, without a session, for their call. */
export function principalOf({ caller, session }: Pick<Connection, "caller" | "session">, call: string): Principal {
  return caller.principal ?? { tenant: "anonymous", issuer: "urn:holdpoint:anonymous", subject: session ?? call }
}

/** Reports the errors of the author's factory: the SDK tells the client only that something went wrong. */
export function withReportedErrors(surface: Surface, factory: McpServerFactory): McpServerFactory {
  return async (context) => {
    try {
      return await factory(context)
    } catch (error) {
      surface.report("making a server", error)
      throw error
    }
  }
}

/** Reports an error of the SDK if it is a programming error. A refused request is an error of the client instead. */
export function noteProtocol(surface: Surface, error: Error): void {
  if (error.name === "TypeError") surface.report("serving a request", error)
}
