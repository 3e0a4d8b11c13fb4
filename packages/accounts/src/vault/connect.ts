// Finds the connection that meets a need, or asks its owner and waits until the connection exists.

import type { Elicitation, Outcome, Outlet } from "@holdpoint/hub"
import type { Connection, ConnectionHandle, FindOptions, Need, Provider } from "@holdpoint/hub/internal"
import { isSameOwner } from "@holdpoint/hub/internal"
import type { ConnectionCache } from "./connection-cache.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import { notConnected, ownerAsked } from "./connection-errors.ts"
import { listOwned } from "./grants.ts"
import type { HandleParts } from "./handle.ts"
import { createHandle } from "./handle.ts"
import { chooseFor, chooseToRenew, toDraft } from "./need.ts"
import type { Gathering } from "./need-gathering.ts"
import { providerOf } from "./parts.ts"

/** How one call of `vault.connect` waits. */
export interface ConnectOptions {
  /** False: if the person has to be asked, asks and throws `connection_needed` without waiting. */
  readonly wait?: boolean
  /** Stops waiting. The question ends when its last asker has stopped. */
  readonly signal?: AbortSignal
  /** Outlets that show the question in addition to the hub's own. */
  readonly outlets?: readonly Outlet[]
  /** The W3C `traceparent` of the request that needs the account. */
  readonly trace?: string
}

export interface ConnectParts extends HandleParts {
  readonly connectionCache: ConnectionCache
  readonly changes: ConnectionChanges
  readonly gathering: Gathering
}

export async function find(
  parts: ConnectParts,
  need: Need,
  { whenLost = "ask" }: FindOptions,
): Promise<ConnectionHandle | undefined> {
  providerOf(parts, need.provider)
  const connection = parts.connectionCache.recall(need) ?? (await findUsableConnection(parts, need))
  if (connection === undefined) return undefined
  return whenLost === "ask" ? toHandle(parts, connection, need, { wait: false }) : createHandle(parts, connection)
}

async function findUsableConnection(parts: ConnectParts, need: Need): Promise<Connection | undefined> {
  const listingMark = parts.connectionCache.takeMark()
  const ownedConnections = await listOwned(parts, need.owner)
  const connection = chooseFor(need, ownedConnections)
  if (connection !== undefined) parts.connectionCache.remember(need, ownedConnections, listingMark)
  return connection
}

export async function ask(
  parts: ConnectParts,
  need: Need,
  options: Pick<ConnectOptions, "outlets" | "signal" | "trace">,
): Promise<Elicitation> {
  const provider = providerOf(parts, need.provider)
  return askOwner(parts, need, provider, options)
}

/** Asks the owner one question for this need and all other needs of the account that arrive at the same time. */
async function askOwner(
  parts: ConnectParts,
  need: Need,
  provider: Provider,
  options: Pick<ConnectOptions, "outlets" | "signal" | "trace">,
): Promise<Elicitation> {
  const combinedNeed = await parts.gathering.combine(need, options.signal)
  const renewedConnection = chooseToRenew(combinedNeed, await listOwned(parts, need.owner))
  return parts.questions.ask(toDraft(combinedNeed, provider, renewedConnection, parts.addresses), options)
}

export async function connect(parts: ConnectParts, need: Need, options: ConnectOptions): Promise<ConnectionHandle> {
  const provider = providerOf(parts, need.provider)
  const connection = parts.connectionCache.recall(need) ?? (await findUsableConnection(parts, need))
  if (connection !== undefined) return toHandle(parts, connection, need, options)
  const { wait = true, ...askOptions } = options
  const needWithLifetime = wait ? need : { lifetimeMs: unattendedMs, ...need }
  const question = await askOwner(parts, needWithLifetime, provider, askOptions)
  if (!wait) throw ownerAsked(provider, question)
  const outcome = await waitForConnection(parts, question, need, options.signal)
  const newConnection = chooseFor(need, await listOwned(parts, need.owner))
  if (newConnection !== undefined && outcome.status === "completed")
    return toHandle(parts, newConnection, need, options)
  throw notConnected(provider, question, outcome)
}

/** The lifetime of a question that no call waits for: one day. */
const unattendedMs = 24 * 60 * 60_000

/** If the connection is lost during use, the owner is asked again with the same options as the first time. */
function toHandle(parts: ConnectParts, connection: Connection, need: Need, options: ConnectOptions): ConnectionHandle {
  const { wait = true } = options
  // Asks again for the same scopes and the same account.
  const account = connection.account === undefined ? {} : { account: connection.account.id }
  return createHandle(parts, connection, (askAgainOptions) =>
    connect(parts, { ...need, ...account }, { ...options, wait: wait && askAgainOptions.wait }),
  )
}

/**
 * Returns the question's outcome, or `completed` as soon as a connection meets the need, even through another question.
 * A question that the person has begun to answer stays open after the last waiter leaves.
 */
async function waitForConnection(
  parts: ConnectParts,
  question: Elicitation,
  need: Need,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const needMet = new AbortController()
  const checkConnections = (): void =>
    parts.background("checking whether a new connection meets a need", async () => {
      if (chooseFor(need, await listOwned(parts, need.owner)) !== undefined) needMet.abort()
    })
  const stopListening = parts.changes.listen(({ kind, facts }) => {
    if (kind === "connected" && facts.provider === need.provider && isSameOwner(facts.owner, need.owner))
      checkConnections()
  })
  // Catches a connection that was made after the first lookup and before listening began.
  checkConnections()
  try {
    const signals = [needMet.signal, signal].filter((candidate) => candidate !== undefined)
    return await parts.questions.wait(question.id, { signal: AbortSignal.any(signals) })
  } catch (error) {
    if (needMet.signal.aborted && signal?.aborted !== true) return { status: "completed" }
    throw error
  } finally {
    stopListening()
  }
}
