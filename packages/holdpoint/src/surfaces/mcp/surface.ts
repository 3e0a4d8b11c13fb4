// What the parts of this surface share, and what is known of the client behind each request.

import { AsyncLocalStorage } from "node:async_hooks"
import type { McpServerFactory, RequestId, ServerContext } from "@modelcontextprotocol/server"
import type { Asking } from "../../asking/asking.ts"
import type { OpenCall } from "../../asking/open-call.ts"
import type { Addresses } from "../../core/addresses.ts"
import type { Principal } from "../../core/principal.ts"
import type { Tokens } from "../../ports/sealer.ts"
import type { Storage } from "../../ports/storage.ts"
import type { ChannelSettings } from "./channel.ts"
import type { Client, ClientOverride, Modes } from "./client.ts"
import { modesOf, toClient } from "./client.ts"
import type { Pulse } from "./pulse.ts"
import type { Drafts } from "./wire.ts"

export interface Surface extends Asking {
  readonly storage: Storage
  readonly tokens: Tokens
  readonly settings: Settings
  readonly pulse: Pulse
}

export interface Settings extends ChannelSettings {
  readonly name: string
  /** Of the pages. Without it there are none. */
  readonly addresses: Addresses | undefined
  /** How long a person has, unless a question says otherwise. */
  readonly lifetimeMs: number
  /** How often a call may be answered with a question. The stock client gives up after ten. */
  readonly rounds: number
  /** The code -32000 of the drafts in place of -32042. Undefined where they are switched off. */
  readonly drafts: Drafts | undefined
  /** Of clients that say nothing of themselves. */
  readonly assume: Modes
}

/** Who calls, as far as it is known. Without a principal the questions carry no account. */
export interface Caller {
  readonly principal?: Principal
  /** As the authorization server knows it; else empty. */
  readonly clientId: string
}

/** One request under way. */
export interface Incoming {
  readonly method: string
  /** Of the tool or prompt, or the address of the resource. */
  readonly name: string
  readonly input: unknown
  /** What `digestOfCall` has found. */
  digest?: string
  /** The call that this goes on with. */
  readonly claimed?: OpenCall
  /** The call that it works on, once it is looked at. */
  call?: OpenCall
  /** What it will be answered. */
  answer?: Promise<unknown>
  /** Its handler has come to its end, or to a question: what the SDK does with its signal afterwards means nothing. */
  isAnswered?: boolean
  /** Its client is gone. */
  isLost?: boolean
}

/** One client's side of things: a connection of stdio, or one request of HTTP. */
export interface Connection {
  readonly surface: Surface
  readonly caller: Caller
  /** The session's id, where there are sessions. */
  readonly session?: string
  /** Its session outlives this process. */
  readonly isLasting: boolean
  /** In the trail of what was answered here. */
  readonly via: string
  /** What is declared once; requests of 2026-07-28 bring it along. */
  client(): Client
  readonly incoming: Map<RequestId, Incoming>
  /** A request is held from now on, until a person acts. */
  readonly onHeld?: () => void
  /** A request works on a call that asks or does something. */
  readonly onWork?: (requestId: RequestId) => void
  /** Sends a message that goes with a request. Absent where none can be sent. */
  send?(message: object, requestId: RequestId): Promise<void>
  /** The client was given this link, and will be told when it is done. */
  promise?(elicitation: string): Promise<void>
}

export const connections = new AsyncLocalStorage<Connection>()

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
const infoKey = "io.modelcontextprotocol/clientInfo"

/** What the client behind this request can be asked: per request on 2026-07-28, else as it declared once. */
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

/** Nobody knows who this is: as long as the session or the call lasts, it is the same nobody. */
export function principalOf({ caller, session }: Pick<Connection, "caller" | "session">, call: string): Principal {
  return caller.principal ?? { tenant: "anonymous", issuer: "urn:holdpoint:anonymous", subject: session ?? call }
}

/** The SDK tells the client that something went wrong, and here it is told what. */
export function reported(surface: Surface, factory: McpServerFactory): McpServerFactory {
  return async (context) => {
    try {
      return await factory(context)
    } catch (error) {
      surface.report("making a server", error)
      throw error
    }
  }
}

/** Requests that are refused are no trouble of ours; the client is told. */
export function noteProtocol(surface: Surface, error: Error): void {
  if (error.name === "TypeError") surface.report("serving a request", error)
}
