// The author's options for their server, and the defaults.

import { defaultHoldMs } from "@holdpoint/calls/internal"
import type { Hub, Principal, Runtime, Storage } from "@holdpoint/hub"
import { type Addresses, HoldpointError, paths } from "@holdpoint/hub"
import type { Accounts, LocalCaller, ResourceServer } from "@holdpoint/hub/internal"
import { aliases, defaultLifetimeMs } from "@holdpoint/hub/internal"
import type { KeyRing } from "@holdpoint/hub/sealing"
import type { AuthInfo, McpServerFactory, ServerEventBus } from "@modelcontextprotocol/server"
import { knownClients } from "./channel.ts"
import type { ClientOverride, Modes, UrlWay } from "./client.ts"
import { noModes } from "./client.ts"
import type { Settings } from "./surface.ts"
import type { Drafts, UrlEntry } from "./wire.ts"

/**
 * How callers are authenticated: by an OAuth resource server, by the author's own check, as the one person at this
 * machine, or not at all.
 */
export type Callers = ResourceServer | CallerCheck | LocalCaller | "anonymous"

/**
 * The author's own check, for API keys or a framework's authentication. `undefined` leads to a 401 response. A returned
 * response is sent unchanged.
 */
export type CallerCheck = (
  request: Request,
  known: Pick<McpRequestInfo, "authInfo">,
) => KnownCaller | Response | undefined | Promise<KnownCaller | Response | undefined>

export interface KnownCaller {
  readonly principal: Principal
  /** The program that the caller uses. Tokens given to one program are not valid for another. */
  readonly clientId?: string
}

/** What the surrounding program already knows about a request. */
export interface McpRequestInfo {
  /**
   * Verified by the surrounding program, and passed to handlers in their context. It does not identify the caller:
   * `callers` does.
   */
  readonly authInfo?: AuthInfo
  /** The body, read and parsed. */
  readonly parsedBody?: unknown
  /** Passed by adapters for Node to every handler, and ignored. */
  readonly incoming?: unknown
}

/** The options of `createMcp`. */
export interface McpOptions {
  readonly hub: Hub
  /** The storage that the hub uses. */
  readonly storage: Storage
  /** The keys that seal session ids, request states, and the journals of calls. */
  readonly keys: KeyRing | (() => KeyRing)
  /** The name of this server, shown to people as the one who asks. */
  readonly name: string
  /** Creates the SDK server, once for every request or connection. */
  readonly server: McpServerFactory
  readonly callers: Callers
  /** The accounts for `ask.connection`. */
  readonly vault?: Accounts
  /**
   * The addresses of the pages. `none`: this server has no pages, so forms end as `unsupported` for clients that cannot
   * be asked, and links lead straight to the author's own addresses.
   */
  readonly addresses: Addresses | "none"
  /**
   * How clients of 2025 are served over HTTP. `sessions`: they can be asked during a call. `stateless`: each request is
   * answered with one JSON body.
   */
  readonly legacy?: "sessions" | "stateless"
  readonly urlWay?: UrlWay
  readonly formLink?: "form" | "text"
  /**
   * Overrides by the name that a client reports. They take precedence over the built-in ones, which the documentation
   * lists.
   */
  readonly clients?: Readonly<Record<string, ClientOverride>>
  /** The modes that clients of stateless HTTP are assumed to support, because they cannot declare them. */
  readonly assume?: Partial<Modes>
  /**
   * Sends -32000 instead of -32042, for clients of the drafts. With a message, the error has that message, and links to
   * connect an account have the address that such clients look for.
   */
  readonly drafts?: boolean | { readonly message: string }
  /** How long a request is held while a person acts. Should be well under the minute after which clients give up. */
  readonly holdMs?: number
  readonly rounds?: number
  readonly lifetimeMs?: number
  /** The tools, prompts and resources, by name or URI, that use the SDK's input_required with their own state. */
  readonly ownState?: readonly string[]
  /** Whether clients that cannot be asked get the tools request_access and access_status. */
  readonly accessTools?: boolean
  /**
   * Returns the token scopes that a request needs. Called for every request before it is dispatched, with the name or
   * URI.
   */
  readonly scopesFor?: (request: { readonly method: string; readonly name: string }) => readonly string[]
  /** Additional host names of this server, besides this machine's and those of the pages and the resource. */
  readonly hosts?: readonly string[]
  /** The origins of web pages that may call this server. */
  readonly origins?: readonly string[]
  readonly maxBodyBytes?: number
  /**
   * The bus on which changes of the lists of tools, prompts and resources are published, for clients that listen over
   * HTTP.
   */
  readonly bus?: ServerEventBus
  /** Whether a handler that asks in a different order than in its earlier run fails. Useful during development. */
  readonly strict?: boolean
  /**
   * For calls that only this process can continue: a call that is made again is recognised by its arguments within the
   * instance alone. Without it, all processes with the same name and storage continue each other's calls.
   */
  readonly instance?: string
  readonly runtime?: Runtime
  readonly report?: (activity: string, error: unknown) => void
}

/** The SDK's client accepts ten rounds, and gives up at the eleventh. */
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
  const { urlWay = "push", formLink = "form", name, assume, instance = "" } = options
  return {
    ...{ name, requester: { id: name, name }, addresses, urlWay, formLink, rounds, lifetimeMs, instance },
    drafts: toDrafts(options),
    clients: { ...knownClients, ...options.clients },
    assume: { ...noModes, ...assume },
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

/** The addresses of the pages. Undefined when this server has no pages. */
export const pagesOf = ({ addresses }: McpOptions): Addresses | undefined =>
  addresses === "none" ? undefined : addresses

const noPages = {
  path: "addresses",
  message:
    "is missing: without pages, the user of a client that cannot be asked cannot answer. Give createAddresses(publicUrl) " +
    'of your pages, or "none" if all your clients can be asked',
}

/** Reports hosts and origins that are not in canonical form: they would never equal a request's header. */
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
  const isInRange = Number.isInteger(value) && value >= least && value <= most
  return isInRange ? [] : [{ path, message: `must be a whole number between ${least} and ${most}` }]
}

/** The paths of this server: those of its resource and of the metadata; /mcp without a resource. */
export function pathsOf(callers: Callers): ReadonlySet<string> {
  if (typeof callers === "string" || !("resource" in callers)) return new Set<string>([paths.mcp])
  const { resource, metadataUrl } = callers
  return new Set([new URL(resource).pathname, "/.well-known/oauth-protected-resource", new URL(metadataUrl).pathname])
}
