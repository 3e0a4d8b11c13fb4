// Finding the connection that meets a need, or asking its owner for it and waiting until it is there.

import type { Connection } from "../core/connection.ts"
import { isSameOwner } from "../core/connection.ts"
import type { Elicitation, Outcome } from "../core/elicitation.ts"
import type { Provider } from "../core/provider.ts"
import type { Outlet } from "../ports/outlet.ts"
import type { ConnectionCache } from "./connection-cache.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import { notConnected, onlyAsked } from "./connection-errors.ts"
import type { Gathering } from "./gather.ts"
import { listOwned } from "./grants.ts"
import type { ConnectionHandle, HandleParts } from "./handle.ts"
import { createHandle } from "./handle.ts"
import type { Need } from "./need.ts"
import { chooseFor, chooseToRenew, toDraft } from "./need.ts"
import { providerOf } from "./parts.ts"

export interface ConnectOptions {
  /** False: when the person has to be asked, they are, and it fails at once with `connection_needed`. */
  readonly wait?: boolean
  /** Gives up waiting; the question ends with its last asker. */
  readonly signal?: AbortSignal
  /** Shown there too, besides the hub's own outlets. */
  readonly outlets?: readonly Outlet[]
}

export interface ConnectParts extends HandleParts {
  readonly connectionCache: ConnectionCache
  readonly changes: ConnectionChanges
  readonly gathering: Gathering
}

export interface FindOptions {
  /** When it is lost while it is used: its owner is asked (as always), or it only throws `connection_needed`. */
  readonly whenLost?: "ask" | "throw"
}

export async function find(
  parts: ConnectParts,
  need: Need,
  { whenLost = "ask" }: FindOptions,
): Promise<ConnectionHandle | undefined> {
  providerOf(parts, need.provider)
  const found = (await parts.connectionCache.recall(need)) ?? (await lookFor(parts, need))
  if (found === undefined) return undefined
  return whenLost === "ask" ? toHandle(parts, found, need, { wait: false }) : createHandle(parts, found)
}

async function lookFor(parts: ConnectParts, need: Need): Promise<Connection | undefined> {
  const mark = parts.connectionCache.mark()
  const found = chooseFor(need, await listOwned(parts, need.owner))
  if (found !== undefined) parts.connectionCache.remember(need, found, mark)
  return found
}

export async function ask(
  parts: ConnectParts,
  need: Need,
  options: Pick<ConnectOptions, "outlets" | "signal">,
): Promise<Elicitation> {
  const provider = providerOf(parts, need.provider)
  return putQuestion(parts, need, provider, options)
}

/** For all that is needed of this account at the moment. */
async function putQuestion(
  parts: ConnectParts,
  need: Need,
  provider: Provider,
  options: Pick<ConnectOptions, "outlets" | "signal">,
): Promise<Elicitation> {
  const wanted = await parts.gathering.with(need, options.signal)
  const renewed = chooseToRenew(wanted, await listOwned(parts, need.owner))
  return parts.questions.ask(toDraft(wanted, provider, renewed, parts.addresses), options)
}

export async function connect(parts: ConnectParts, need: Need, options: ConnectOptions): Promise<ConnectionHandle> {
  const provider = providerOf(parts, need.provider)
  const found = chooseFor(need, await listOwned(parts, need.owner))
  if (found !== undefined) return toHandle(parts, found, need, options)
  const { wait = true, ...askOptions } = options
  const lasting = wait ? need : { lifetimeMs: unattendedMs, ...need }
  const asked = await putQuestion(parts, lasting, provider, askOptions)
  if (!wait) throw onlyAsked(provider, asked)
  const outcome = await answered(parts, asked, need, options.signal)
  const made = chooseFor(need, await listOwned(parts, need.owner))
  if (made !== undefined && outcome.status === "completed") return toHandle(parts, made, need, options)
  throw notConnected(provider, asked, outcome)
}

/** Nobody waits, so the person may take a day. */
const unattendedMs = 24 * 60 * 60_000

/** When the connection is lost while somebody works with it, they are asked as they were asked the first time. */
function toHandle(parts: ConnectParts, found: Connection, need: Need, options: ConnectOptions): ConnectionHandle {
  const { wait = true } = options
  // The scopes and the account that it had: what is asked for again is the same.
  const account = found.account === undefined ? {} : { account: found.account.id }
  return createHandle(parts, found, (again) =>
    connect(parts, { ...need, ...account }, { ...options, wait: wait && again.wait }),
  )
}

/**
 * The question's outcome; or `completed` as soon as what is needed is there, by whatever question it came about. One that
 * the person has begun with stays open when nobody waits any more.
 */
async function answered(
  parts: ConnectParts,
  asked: Elicitation,
  need: Need,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const superseded = new AbortController()
  const look = (): void =>
    parts.background("looking whether a new connection meets a need", async () => {
      if (chooseFor(need, await listOwned(parts, need.owner)) !== undefined) superseded.abort()
    })
  const stop = parts.changes.listen(({ kind, facts }) => {
    if (kind === "connected" && facts.provider === need.provider && isSameOwner(facts.owner, need.owner)) look()
  })
  // Also what came about between looking for a connection and listening.
  look()
  try {
    const signals = [superseded.signal, signal].filter((one) => one !== undefined)
    return await parts.questions.wait(asked.id, { signal: AbortSignal.any(signals) })
  } catch (error) {
    if (superseded.signal.aborted && signal?.aborted !== true) return { status: "completed" }
    throw error
  } finally {
    stop()
  }
}
