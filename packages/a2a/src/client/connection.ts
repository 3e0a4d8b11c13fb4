// The connection to an agent: its card, and a client of the SDK for the interface in the card. Only interfaces of the
// agent's own origin are used, because the agent writes the card itself.

import type { AgentCard } from "@a2a-js/sdk"
import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER } from "@a2a-js/sdk"
import type { Client } from "@a2a-js/sdk/client"
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client"
import { apiLimits, createGuardedFetch, fetchWithinOrigin, jsonOf, readText } from "@holdpoint/fetching/internal"
import { HoldpointError } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { statusError } from "./failure.ts"
import { type GateOptions, limitResponses } from "./gate.ts"
import { agentLimits } from "./limits.ts"
import type { ConnectA2aOptions, Settings } from "./settings.ts"
import { unusableCardWords } from "./words.ts"

export interface OpenConnection {
  readonly client: Client
  readonly card: AgentCard
  readonly isStreaming: boolean
}

export interface AgentConnection {
  /** Returns the client, which is created on first use. Throws errors that `judgeFailure` converts. */
  open(): Promise<OpenConnection>
  /** Fetches the card now. */
  card(): Promise<AgentCard>
  /** Drops the client, so that the next `open` fetches the card again. */
  drop(): void
}

const wellKnown = ".well-known/agent-card.json"

export function createAgentConnection(
  settings: Settings,
  { fetch, headers }: Pick<ConnectA2aOptions, "fetch" | "headers">,
): AgentConnection {
  const { url, limits } = settings
  const { hostname, pathname } = url
  // The gate limits the size.
  const guardedFetch = createGuardedFetch({ ...apiLimits, allowLoopback: true, alsoAllow: [hostname] })
  const publicFetch: Fetch = (to, init = {}) => fetchWithinOrigin(guardedFetch, to, init)
  const base = pathname.endsWith("/") ? url : new URL(`${url.href.replace(/[?#].*$/, "")}/`)
  const cardUrl = pathname.endsWith(".json") ? url : new URL(wellKnown, base)
  const gated = (by: Fetch, options: GateOptions): Fetch =>
    withHeaders(withErrors(limitResponses(by, options)), headers)
  const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } })

  /** Fetches the card without credentials first: most cards are public, and needed before an account is connected. */
  const fetchCard = async (): Promise<AgentCard> => {
    // An agent that supports both protocol versions returns the card of the requested version.
    const init = { headers: { [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION } }
    const cardLimits = { timeoutMs: limits.readMs, mostBytes: agentLimits.cardBytes }
    const read = (by: Fetch): Promise<Response> => gated(by, cardLimits)(cardUrl, init)
    const response = await read(publicFetch).catch((error: unknown) => {
      if (fetch === undefined || !isDenied(error)) throw error
      return read(fetch)
    })
    if (!response.ok) throw statusError(response.status)
    return checkCard(settings, resolver, await jsonOf(response))
  }
  const connect = async (): Promise<OpenConnection> => {
    const card = await fetchCard()
    const send = gated(fetch ?? publicFetch, { timeoutMs: limits.sendMs })
    const options: ConstructorParameters<typeof JsonRpcTransportFactory>[0] = {
      fetchImpl: (to, init) => send(to instanceof Request ? to.url : to, init),
      legacyCompat: { enabled: true },
    }
    const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)]
    const client = await new ClientFactory({ transports, cardResolver: resolver }).createFromAgentCard(card)
    return { client, card, isStreaming: card.capabilities?.streaming === true }
  }
  let opening: Promise<OpenConnection> | undefined
  const open = (): Promise<OpenConnection> => {
    if (opening !== undefined) return opening
    const connecting = connect()
    opening = connecting
    connecting.catch(() => {
      if (opening === connecting) opening = undefined
    })
    return connecting
  }
  return {
    open,
    card: fetchCard,
    drop() {
      opening = undefined
    },
  }
}

function checkCard(settings: Settings, resolver: DefaultAgentCardResolver, parsed: unknown): AgentCard {
  const refuse = (problem: string): never => {
    throw new HoldpointError("provider_refused", unusableCardWords(settings, problem))
  }
  const card = toCard(resolver, parsed) ?? refuse("it is not a card of an A2A agent.")
  const { supportedInterfaces: interfaces } = card
  if (!Array.isArray(interfaces) || interfaces.length === 0) return refuse("it names no interface.")
  const { origin } = settings.url
  const ownInterfaces = interfaces.filter(({ url }) => URL.parse(String(url))?.origin === origin)
  if (ownInterfaces.length > 0) return { ...card, supportedInterfaces: ownInterfaces }
  const otherOrigins = namesOf(new Set(interfaces.map(({ url }) => URL.parse(String(url))?.origin ?? "?")))
  return refuse(
    `its interfaces are at ${otherOrigins}, and only those at ${origin} are used. Configure the agent's own address.`,
  )
}

/** The first of the origins, and how many others there are. */
function namesOf(origins: ReadonlySet<string>): string {
  const names = [...origins].slice(0, 3).map((origin) => origin.slice(0, 100))
  return origins.size <= 3 ? names.join(", ") : `${names.join(", ")} and ${origins.size - 3} others`
}

function toCard(resolver: DefaultAgentCardResolver, read: unknown): AgentCard | undefined {
  if (typeof read !== "object" || read === null) return undefined
  try {
    return resolver.normalizeAgentCard(read)
  } catch {
    // The SDK cannot convert a value that is not a card.
    return undefined
  }
}

const isDenied = (error: unknown): boolean =>
  error instanceof HoldpointError && [401, 403].includes((error.cause as { readonly status?: number }).status ?? 0)

const withHeaders =
  (fetch: Fetch, headers: Readonly<Record<string, string>> | undefined): Fetch =>
  (to, init = {}) => {
    const allHeaders = new Headers(headers)
    new Headers(init.headers).forEach((value, name) => void allHeaders.set(name, value))
    return fetch(to, { ...init, headers: allHeaders })
  }

/** Wraps a fetch: a failed response that is not an A2A error becomes an error without the response's text. */
const withErrors =
  (fetch: Fetch): Fetch =>
  async (to, init) => {
    const response = await fetch(to, init)
    if (response.ok) return response
    const text = await readText(response, mostErrorBytes)
    if (!(await isProtocolError(text))) throw statusError(response.status)
    const { status, headers } = response
    return new Response(text, { status, headers: { "content-type": headers.get("content-type") ?? "" } })
  }

const mostErrorBytes = 100_000

/** Whether the text is an A2A error: those of JSON-RPC and of the HTTP binding both have a member `error`. */
async function isProtocolError(text: string | undefined): Promise<boolean> {
  const read: unknown = await jsonOf(new Response(text))
  return typeof read === "object" && read !== null && "error" in read
}
