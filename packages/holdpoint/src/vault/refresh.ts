// One refresh at a time, whatever the number of callers, processes and machines: a single flight in the process, a lease
// in the database, a write that only the holder may make. Nothing is declared over before the record was read again.

import type { Connection } from "../core/connection.ts"
import type { Reason } from "../core/elicitation.ts"
import { hasOwnScopes } from "../core/provider.ts"
import { within } from "../fetching/deadline.ts"
import { change, openFields } from "./change.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import { toGrant } from "./grants.ts"
import type { Credentials, Refreshed, SecretFields } from "./kind.ts"
import { createPatience, expectWord, holderOf, takeLease } from "./lease.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import { connectionKind } from "./records.ts"
import { giveBack } from "./revoke.ts"
import { retryWhileStoreIsAway } from "./store-retry.ts"

/**
 * `fresh`: it has other credentials than before, of this refresh or of somebody else's. `unknown`: it stays as it is, and
 * may be tried later. `nothing`: there is nothing to refresh it with. `lost`: it is not active any more.
 */
export type RefreshResult =
  | { readonly kind: "fresh"; readonly connection: Connection }
  | { readonly kind: "unknown"; readonly reason: Reason }
  | { readonly kind: "nothing" }
  | { readonly kind: "lost"; readonly connection: Connection | undefined }

export interface Refresher {
  /** To credentials of another generation than this one. */
  refresh(id: string, generation: number): Promise<RefreshResult>
}

/** A result that is not asked for again so soon. */
interface Rest {
  readonly generation: number | undefined
  readonly since: number
  readonly until: number
  readonly result: RefreshResult
}

interface RefreshParts extends VaultParts {
  readonly changes: ConnectionChanges
  readonly resting: Map<string, Rest>
}

export function createRefresher(vault: VaultParts, changes: ConnectionChanges): Refresher {
  const parts: RefreshParts = { ...vault, changes, resting: new Map() }
  const underWay = new Map<string, Promise<RefreshResult>>()
  changes.listen(({ id }) => parts.resting.delete(id))

  const refresh = async (id: string, generation: number): Promise<RefreshResult> => {
    const running = underWay.get(id)
    if (running !== undefined) {
      const result = await running
      const isOld = result.kind === "fresh" && result.connection.sealed?.generation === generation
      return isOld ? refresh(id, generation) : result
    }
    const rest = parts.resting.get(id)
    const now = parts.tools.runtime.now()
    // A clock that was set back ends the rest.
    if (rest?.generation === generation && now >= rest.since && now < rest.until) return rest.result
    const started = takeTurn(parts, id, generation).finally(() => underWay.delete(id))
    underWay.set(id, started)
    return started
  }
  return { refresh }
}

/** Gets the lease and asks the provider, or waits for whoever has it. */
async function takeTurn(parts: RefreshParts, id: string, generation: number): Promise<RefreshResult> {
  const connections = parts.storage.records(connectionKind)
  const patience = createPatience(parts)
  for (;;) {
    // Before reading: what is told between reading and waiting must not be missed.
    const word = expectWord(parts, parts.changes, id)
    try {
      const current = await connections.get(id)
      if (current?.status !== "active") return { kind: "lost", connection: current }
      if (current.sealed?.generation !== generation) return { kind: "fresh", connection: current }
      if (!patience.isOver(current.lease)) {
        await word.comesWithin(parts.pace.lookMs)
      } else if (current.lease === undefined && patience.hasWaited()) {
        // Its holder gave it back with nothing new. A lease that ran out is another matter: its holder is dead.
        return { kind: "unknown", reason: { code: "refresh_failed_elsewhere" } }
      } else {
        const fields = openFields(parts, current) ?? {}
        const leased = takeLease(parts, current)
        if (leased.ok && (await connections.replace(leased.next))) {
          const result = useLease(parts, leased.next, fields)
          // Closing waits for what comes back: new tokens exist nowhere else yet.
          parts.background("refreshing a connection", () => result.then(nothing, nothing))
          return await result
        }
      }
    } finally {
      word.stop()
    }
  }
}

const nothing = (): void => {}

async function useLease(parts: RefreshParts, leased: Connection, fields: SecretFields): Promise<RefreshResult> {
  const answer = await askProvider(parts, leased, fields)
  switch (answer.kind) {
    case "refreshed":
      return keep(parts, leased, answer.credentials)
    case "dead":
      return declareDead(parts, leased, answer.reason)
    case "unknown": {
      // A provider that asks for a day is asked again sooner: people wait.
      const restMs = Math.max(parts.pace.restMs, Math.min(answer.retryAfterMs ?? 0, longestRestMs))
      return letGo(parts, leased, { kind: "unknown", reason: answer.reason }, restMs)
    }
    case "nothing":
      return letGo(parts, leased, answer, Number.POSITIVE_INFINITY)
  }
}

/** The lease is given back with nothing new, and this node does not try again for a while. */
async function letGo(
  parts: RefreshParts,
  { id, lease, sealed }: Connection,
  result: RefreshResult,
  restMs: number,
): Promise<RefreshResult> {
  const holder = holderOf(lease)
  const since = parts.tools.runtime.now()
  parts.resting.set(id, { generation: sealed?.generation, since, until: since + restMs, result })
  try {
    await change(parts, id, (current) => (holderOf(current.lease) === holder ? { type: "unlease", holder } : undefined))
  } catch (error) {
    parts.report("giving back a lease, which ends by itself", error)
  }
  return result
}

/** Nobody can tell what became of an unknown one, so the same token is tried once more, at once (FAPI 2.0, 5.3.2.1). */
async function askProvider(parts: RefreshParts, leased: Connection, fields: SecretFields): Promise<Refreshed> {
  const first = await askOnce(parts, leased, fields)
  if (first.kind !== "unknown" || first.retryAfterMs !== undefined) return first
  const hasTime = parts.tools.runtime.now() + parts.pace.requestMs < (leased.lease?.until ?? 0)
  return hasTime ? askOnce(parts, leased, fields) : first
}

async function askOnce(parts: RefreshParts, leased: Connection, fields: SecretFields): Promise<Refreshed> {
  try {
    const provider = providerOf(parts, leased.provider)
    const { tools, pace, kindOf } = parts
    return await within(tools.runtime, pace.requestMs, () => kindOf(provider).refresh(provider, fields, tools))
  } catch (error) {
    parts.report(`refreshing a connection with ${leased.provider}`, error)
    return { kind: "unknown", reason: { code: "unavailable" } }
  }
}

/** New tokens exist nowhere but here: a database that is away for a moment must not lose them. */
async function keep(parts: RefreshParts, leased: Connection, credentials: Credentials): Promise<RefreshResult> {
  const changed = await retryWhileStoreIsAway(parts, () =>
    change(
      parts,
      leased.id,
      (current) => {
        // RFC 6749, 5.1: a scope that is not mentioned is the one of before. What is ours may have changed meanwhile.
        const isSaid = credentials.scopes.length > 0 && hasOwnScopes(providerOf(parts, current.provider))
        const scopes = isSaid ? credentials.scopes : current.scopes
        const holder = holderOf(leased.lease)
        return { type: "refresh", holder, grant: toGrant(parts, current, { ...credentials, scopes }, current.sealed) }
      },
      { tell: "refreshed" },
    ),
  )
  if (changed.ok) return { kind: "fresh", connection: changed.connection }
  const { connection } = changed
  if (connection === undefined || connection.status === "revoked")
    parts.background("giving back what a late refresh got", () =>
      giveBack(parts, connection ?? leased, credentials.fields),
    )
  return asItStands(connection, leased)
}

/** Unless somebody has replaced the credentials meanwhile, or holds the lease and will find out for themselves. */
async function declareDead(parts: RefreshParts, leased: Connection, reason: Reason): Promise<RefreshResult> {
  const changed = await retryWhileStoreIsAway(parts, () =>
    change(
      parts,
      leased.id,
      ({ status, lease, sealed }) => {
        const isSame = sealed?.generation === leased.sealed?.generation && holderOf(lease) === holderOf(leased.lease)
        return status === "active" && isSame ? { type: "lose", reason } : undefined
      },
      { tell: "reauth_needed" },
    ),
  )
  return asItStands(changed.connection, leased)
}

function asItStands(current: Connection | undefined, before: Connection): RefreshResult {
  if (current?.status !== "active") return { kind: "lost", connection: current }
  if (current.sealed?.generation !== before.sealed?.generation) return { kind: "fresh", connection: current }
  return { kind: "unknown", reason: { code: "refresh_taken_over" } }
}

const longestRestMs = 15 * 60_000
