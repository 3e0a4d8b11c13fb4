// What an author says of their server, with what holds when they say nothing.

import type { AuthInfo, McpServerFactory, ServerEventBus } from "@modelcontextprotocol/server"
import { defaultHoldMs } from "../../asking/holds.ts"
import { type Addresses, aliases, paths } from "../../core/addresses.ts"
import { HoldpointError } from "../../core/error.ts"
import { defaultLifetimeMs } from "../../core/limits.ts"
import type { Principal } from "../../core/principal.ts"
import type { Hub } from "../../hub/hub.ts"
import type { ResourceServer } from "../../identity/resource/server.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import type { KeyRing } from "../../sealing/key-ring.ts"
import type { Vault } from "../../vault/vault.ts"
import { knownClients } from "./channel.ts"
import type { ClientOverride, Modes, UrlWay } from "./client.ts"
import { nothing } from "./client.ts"
import type { Settings } from "./surface.ts"
import type { Drafts, UrlEntry } from "./wire.ts"

/** Who calls: an OAuth resource server tells, or a check of the author's; or it is the one person at this machine. */
export type Callers = ResourceServer | CallerCheck | LocalCaller | "anonymous"

/** For API keys, or what a framework has found out already. Undefined is answered with 401, a response as it is. */
export type CallerCheck = (
  request: Request,
  known: Pick<McpRequestInfo, "authInfo">,
) => KnownCaller | Response | undefined | Promise<KnownCaller | Response | undefined>

export interface KnownCaller {
  readonly principal: Principal
  /** The program that calls for them: what it is given opens for no other. */
  readonly clientId?: string
}

/** What the program around this server knows of a request already. */
export interface McpRequestInfo {
  /** Verified there. Handlers find it in their context; who calls is told by `callers`. */
  readonly authInfo?: AuthInfo
  /** The body, read and parsed. */
  readonly parsedBody?: unknown
  /** What adapters for Node give every handler, and is not looked at. */
  readonly incoming?: unknown
}

export interface LocalCaller {
  readonly local: Principal
}

/** What `createMcp` is given. */
export interface McpOptions {
  readonly hub: Hub
  /** The same that the hub has. */
  readonly storage: Storage
  /** Seal what clients carry, and the journals of calls. */
  readonly keys: KeyRing | (() => KeyRing)
  /** What people read of who asks. */
  readonly name: string
  /** Makes the server, anew for every request or connection. */
  readonly server: McpServerFactory
  readonly callers: Callers
  /** For `ask.connection`. */
  readonly vault?: Vault
  /**
   * Of the pages. `none`: there are none, so that forms end as `unsupported` for clients that cannot be asked, and links are
   * not wrapped.
   */
  readonly addresses: Addresses | "none"
  /** 2025 over HTTP: `sessions` can ask in the middle of a call; `stateless` answers each request with one JSON body. */
  readonly legacy?: "sessions" | "stateless"
  readonly urlWay?: UrlWay
  readonly formLink?: "form" | "text"
  /** By the name that a client reports. What is known of some is in the documentation, and this counts more. */
  readonly clients?: Readonly<Record<string, ClientOverride>>
  /** What clients of stateless HTTP can be asked that do not say so. */
  readonly assume?: Partial<Modes>
  /**
   * -32000 in place of -32042, for clients of the drafts. With a message, the error says that in place of ours, and links to
   * connect an account have the address that such clients look for.
   */
  readonly drafts?: boolean | { readonly message: string }
  /** How long a request is held while a person acts. Well under the minute after which clients give up. */
  readonly holdMs?: number
  readonly rounds?: number
  readonly lifetimeMs?: number
  /** Tools, prompts and resources that use the SDK's own input_required with a state of their own, by name or address. */
  readonly ownState?: readonly string[]
  /** Tools for clients that cannot be asked: request_access and access_status. */
  readonly accessTools?: boolean
  /** Scopes of the token that a request needs, before it is dispatched. Asked of every request, by name or address. */
  readonly scopesFor?: (request: { readonly method: string; readonly name: string }) => readonly string[]
  /** Host names under which it is reached, besides this machine and those of the pages and the resource. */
  readonly hosts?: readonly string[]
  /** Origins of web pages that may call it. */
  readonly origins?: readonly string[]
  readonly maxBodyBytes?: number
  /** Where changes of the lists of tools, prompts and resources are published, for clients that listen over HTTP. */
  readonly bus?: ServerEventBus
  /** A handler that asks in another order than before fails. While developing, it should. */
  readonly strict?: boolean
  readonly runtime?: Runtime
  readonly report?: (doing: string, error: unknown) => void
}

/** The stock client goes on after ten, and gives up at the eleventh. */
const defaultRounds = 10
export const defaultBodyBytes = 1_024 * 1_024

export function toSettings(options: McpOptions): Settings {
  const { holdMs = defaultHoldMs, rounds = defaultRounds, lifetimeMs = defaultLifetimeMs } = options
  const problems = [
    ...inRange("holdMs", holdMs, 10, 55_000),
    ...inRange("rounds", rounds, 1, 1_000),
    ...inRange("maxBodyBytes", options.maxBodyBytes ?? defaultBodyBytes, 1_024, 64 * 1_024 * 1_024),
    ...inRange("lifetimeMs", lifetimeMs, 1, 365 * 24 * 60 * 60_000),
    ...(options.name.trim() === "" ? [{ path: "name", message: "is empty; people read it" }] : []),
    ...addressProblems(options),
    ...((options.addresses as unknown) === undefined ? [noPages] : []),
  ]
  if (problems.length > 0) {
    const words = problems.map(({ path, message }) => `${path} ${message}`).join("; ")
    throw new HoldpointError("invalid_config", `createMcp cannot be set up like this: ${words}.`, { problems })
  }
  const addresses = pagesOf(options)
  const { urlWay = "push", formLink = "form", name, assume } = options
  return {
    ...{ name, addresses, urlWay, formLink, rounds, lifetimeMs },
    drafts: toDrafts(options),
    clients: { ...knownClients, ...options.clients },
    assume: { ...nothing, ...assume },
  }
}

function toDrafts(options: McpOptions): Drafts | undefined {
  const { drafts = false } = options
  if (typeof drafts === "boolean") return drafts ? {} : undefined
  const addresses = pagesOf(options)
  const address = ({ elicitationId, url }: UrlEntry): string =>
    addresses === undefined || url !== addresses.to(paths.connect, elicitationId)
      ? url
      : `${addresses.publicUrl}${aliases.connect[0]}?elicitationId=${encodeURIComponent(elicitationId)}`
  return { message: drafts.message, address }
}

/** Undefined where there are none. */
export const pagesOf = ({ addresses }: McpOptions): Addresses | undefined =>
  addresses === "none" ? undefined : addresses

const noPages = {
  path: "addresses",
  message:
    "is missing: a client that cannot be asked has no page on which its user could answer. Give createAddresses(publicUrl) " +
    'of your pages, or "none" if all your clients can be asked',
}

/** What is written otherwise is never equal to what a request says, and nobody would be let in. */
function addressProblems({ hosts = [], origins = [] }: McpOptions) {
  const host = hosts.find((one) => URL.parse(`http://${one}`)?.hostname !== one)
  const origin = origins.find((one) => URL.parse(one)?.origin !== one)
  return [
    ...(host === undefined ? [] : [{ path: "hosts", message: `must hold bare names without a port, not “${host}”` }]),
    ...(origin === undefined
      ? []
      : [{ path: "origins", message: `must hold origins like https://app.example, not “${origin}”` }]),
  ]
}

function inRange(path: string, value: number, least: number, most: number) {
  const isFine = Number.isInteger(value) && value >= least && value <= most
  return isFine ? [] : [{ path, message: `must be a whole number between ${least} and ${most}` }]
}

/** That are its own: its resource's and those of the metadata; without a resource /mcp. */
export function pathsOf(callers: Callers): ReadonlySet<string> {
  if (typeof callers === "string" || !("resource" in callers)) return new Set<string>([paths.mcp])
  const { resource, metadataUrl } = callers
  return new Set([new URL(resource).pathname, "/.well-known/oauth-protected-resource", new URL(metadataUrl).pathname])
}
