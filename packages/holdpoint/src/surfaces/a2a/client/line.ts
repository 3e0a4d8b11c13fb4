// How an agent is reached: its card, and a client of the SDK for the interface that the card names. A card is written by
// the agent, so that it may name interfaces of its own origin alone.

import type { AgentCard } from "@a2a-js/sdk"
import { A2A_PROTOCOL_VERSION, A2A_VERSION_HEADER } from "@a2a-js/sdk"
import type { Client } from "@a2a-js/sdk/client"
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client"
import { HoldpointError } from "../../../core/error.ts"
import { jsonOf } from "../../../fetching/answer.ts"
import { readText } from "../../../fetching/body.ts"
import { apiLimits, createGuardedFetch } from "../../../fetching/guarded-fetch.ts"
import { fetchWithinOrigin } from "../../../fetching/within-origin.ts"
import type { Fetch } from "../../../ports/fetch.ts"
import { statusError } from "./failure.ts"
import type { ConnectA2aOptions, Settings } from "./settings.ts"
import { unusableCardWords } from "./words.ts"

export interface Line {
  readonly client: Client
  readonly card: AgentCard
  readonly isStreaming: boolean
}

export interface Lines {
  /** Returns the client, made with the first use. Throws what `judgeFailure` understands. */
  open(): Promise<Line>
  /** Fetches the card now. */
  card(): Promise<AgentCard>
  /** Makes the next use fetch the card again. */
  drop(): void
}

const wellKnown = ".well-known/agent-card.json"

export function createLines(
  settings: Settings,
  { fetch, headers }: Pick<ConnectA2aOptions, "fetch" | "headers">,
): Lines {
  const { url, limits } = settings
  const { hostname, pathname } = url
  const guarded = createGuardedFetch({ ...apiLimits, maxBytes: mostBytes, allowLoopback: true, alsoAllow: [hostname] })
  const plain: Fetch = (to, init = {}) => fetchWithinOrigin(guarded, to, init)
  const base = pathname.endsWith("/") ? url : new URL(`${url.href.replace(/[?#].*$/, "")}/`)
  const cardUrl = pathname.endsWith(".json") ? url : new URL(wellKnown, base)
  const timed = (timeoutMs: number, by: Fetch): Fetch => withHeaders(judging(by), { headers, timeoutMs })
  const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } })

  /** A card is public as a rule, so that it is known before anybody has connected an account. */
  const fetchCard = async (): Promise<AgentCard> => {
    // An agent that speaks both versions shows the card of the one that is asked for.
    const init = { headers: { [A2A_VERSION_HEADER]: A2A_PROTOCOL_VERSION } }
    const read = (by: Fetch): Promise<Response> => timed(limits.readMs, by)(cardUrl, init)
    const response = await read(plain).catch((error: unknown) => {
      if (fetch === undefined || !isDenied(error)) throw error
      return read(fetch)
    })
    if (!response.ok) throw statusError(response.status)
    const text = await readText(response, mostCardBytes)
    return checkCard(settings, resolver, await jsonOf(new Response(text)))
  }
  const connect = async (): Promise<Line> => {
    const card = await fetchCard()
    const send = timed(limits.sendMs, fetch ?? plain)
    const options: ConstructorParameters<typeof JsonRpcTransportFactory>[0] = {
      fetchImpl: (to, init) => send(to instanceof Request ? to.url : to, init),
      legacyCompat: { enabled: true },
    }
    const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)]
    const client = await new ClientFactory({ transports, cardResolver: resolver }).createFromAgentCard(card)
    return { client, card, isStreaming: card.capabilities?.streaming === true }
  }
  let opening: Promise<Line> | undefined
  const open = (): Promise<Line> => {
    if (opening !== undefined) return opening
    const made = connect()
    opening = made
    made.catch(() => {
      if (opening === made) opening = undefined
    })
    return made
  }
  return {
    open,
    card: fetchCard,
    drop() {
      opening = undefined
    },
  }
}

/** The longest answer, and the longest stream: a longer one is opened again where it ended. */
const mostBytes = 50_000_000
const mostCardBytes = 1_000_000

function checkCard(settings: Settings, resolver: DefaultAgentCardResolver, read: unknown): AgentCard {
  const refuse = (problem: string): never => {
    throw new HoldpointError("provider_refused", unusableCardWords(settings, problem))
  }
  const card = toCard(resolver, read) ?? refuse("it is not a card of an A2A agent.")
  const { supportedInterfaces: given } = card
  if (!Array.isArray(given) || given.length === 0) return refuse("it names no interface.")
  const { origin } = settings.url
  const ours = given.filter(({ url }) => URL.parse(String(url))?.origin === origin)
  if (ours.length > 0) return { ...card, supportedInterfaces: ours }
  const others = [...new Set(given.map(({ url }) => URL.parse(String(url))?.origin ?? "?"))].join(", ")
  return refuse(
    `its interfaces are at ${others}, and only those at ${origin} are used. Configure the agent's own address.`,
  )
}

function toCard(resolver: DefaultAgentCardResolver, read: unknown): AgentCard | undefined {
  if (typeof read !== "object" || read === null) return undefined
  try {
    return resolver.normalizeAgentCard(read)
  } catch {
    // The SDK cannot translate it: it is not a card.
    return undefined
  }
}

const isDenied = (error: unknown): boolean =>
  error instanceof HoldpointError && [401, 403].includes((error.cause as { readonly status?: number }).status ?? 0)

interface Sent {
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly timeoutMs: number
}

const withHeaders =
  (fetch: Fetch, { headers, timeoutMs }: Sent): Fetch =>
  (to, init = {}) => {
    const all = new Headers(headers)
    new Headers(init.headers).forEach((value, name) => void all.set(name, value))
    return fetch(to, { timeoutMs, ...init, headers: all })
  }

/** Answers of a server that are none of the protocol become errors without what it wrote. */
const judging =
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

/** JSON-RPC and the HTTP binding both have `error`. */
async function isProtocolError(text: string | undefined): Promise<boolean> {
  const read: unknown = await jsonOf(new Response(text))
  return typeof read === "object" && read !== null && "error" in read
}
