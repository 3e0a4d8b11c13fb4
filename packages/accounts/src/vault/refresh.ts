// One refresh at a time across all callers, processes and machines: a single flight per process, a lease in the
// database, and a write that only the lease holder may make. The record is read again before a grant is declared ended.

import { runWithDeadline } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import type { Connection } from "@holdpoint/hub/internal"
import { hasOwnScopes } from "@holdpoint/hub/internal"
import { change, openFields } from "./change.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import { toGrant } from "./grants.ts"
import type { Credentials, ProviderRefreshResult, SecretFields } from "./kind.ts"
import { createLeaseObserver, expectChange, holderOf, takeLease } from "./lease.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import { connectionKind } from "./records.ts"
import { revokeCredentials } from "./revoke.ts"
import { retryWhileStoreUnavailable } from "./store-retry.ts"

/**
 * `fresh`: new credentials, from this refresh or another node's. `unknown`: unchanged, may be retried later. `nothing`:
 * the credentials cannot be refreshed. `lost`: the connection is no longer active.
 */
export type RefreshResult =
  | { readonly kind: "fresh"; readonly connection: Connection }
  | { readonly kind: "unknown"; readonly reason: Reason }
  | { readonly kind: "nothing" }
  | { readonly kind: "lost"; readonly connection: Connection | undefined }

export interface Refresher {
  /** Refreshes the connection's credentials, unless another node has already replaced this generation of them. */
  refresh(id: string, generation: number): Promise<RefreshResult>
}

/** A recent failed result, which is returned again until `until` instead of asking the provider. */
interface RecentFailure {
  readonly generation: number | undefined
  readonly failedAt: number
  readonly until: number
  readonly result: RefreshResult
}

interface RefreshParts extends VaultParts {
  readonly changes: ConnectionChanges
  readonly recentFailures: Map<string, RecentFailure>
}

export function createRefresher(vault: VaultParts, changes: ConnectionChanges): Refresher {
  const parts: RefreshParts = { ...vault, changes, recentFailures: new Map() }
  const runningRefreshes = new Map<string, Promise<RefreshResult>>()
  changes.listen(({ id }) => parts.recentFailures.delete(id))

  const refresh = async (id: string, generation: number): Promise<RefreshResult> => {
    const running = runningRefreshes.get(id)
    if (running !== undefined) {
      const result = await running
      const isOld = result.kind === "fresh" && result.connection.sealed?.generation === generation
      return isOld ? refresh(id, generation) : result
    }
    const recentFailure = parts.recentFailures.get(id)
    const now = parts.tools.runtime.now()
    // A clock that was set back ends the waiting period.
    if (recentFailure?.generation === generation && now >= recentFailure.failedAt && now < recentFailure.until)
      return recentFailure.result
    const newRefresh = refreshUnderLease(parts, id, generation).finally(() => runningRefreshes.delete(id))
    runningRefreshes.set(id, newRefresh)
    return newRefresh
  }
  return { refresh }
}

/** Takes the lease and asks the provider, or waits for the node that holds it. */
async function refreshUnderLease(parts: RefreshParts, id: string, generation: number): Promise<RefreshResult> {
  const connections = parts.storage.records(connectionKind)
  const leaseObserver = createLeaseObserver(parts)
  for (;;) {
    // Subscribed before reading, so that no change between reading and waiting is missed.
    const expectedChange = expectChange(parts, parts.changes, id)
    try {
      const current = await connections.get(id)
      if (current?.status !== "active") return { kind: "lost", connection: current }
      if (current.sealed?.generation !== generation) return { kind: "fresh", connection: current }
      if (!leaseObserver.hasEnded(current.lease)) {
        await expectedChange.waitAtMost(parts.vaultTimes.lookMs)
      } else if (current.lease === undefined && leaseObserver.hasWaited()) {
        // The holder released the lease without new credentials. (An expired lease means that its holder crashed.)
        return { kind: "unknown", reason: { code: "refresh_failed_elsewhere" } }
      } else {
        const fields = openFields(parts, current) ?? {}
        const leased = takeLease(parts, current)
        if (leased.ok && (await connections.replace(leased.next))) {
          const result = refreshWithLease(parts, leased.next, fields)
          // As background work, so that closing the vault waits: until then the new tokens are not stored anywhere.
          parts.background("refreshing a connection", () => result.then(doNothing, doNothing))
          return await result
        }
      }
    } finally {
      expectedChange.stop()
    }
  }
}

const doNothing = (): void => {}

async function refreshWithLease(parts: RefreshParts, leased: Connection, fields: SecretFields): Promise<RefreshResult> {
  const answer = await askProvider(parts, leased, fields)
  switch (answer.kind) {
    case "refreshed":
      return storeRefreshed(parts, leased, answer.credentials)
    case "dead":
      return endConnection(parts, leased, answer.reason)
    case "unknown": {
      // A very long Retry-After is shortened, because people wait.
      const restMs = Math.max(parts.vaultTimes.restMs, Math.min(answer.retryAfterMs ?? 0, maxRestMs))
      return releaseLease(parts, leased, { kind: "unknown", reason: answer.reason }, restMs)
    }
    case "nothing":
      return releaseLease(parts, leased, answer, Number.POSITIVE_INFINITY)
  }
}

/** Releases the lease without new credentials; this node does not retry for a while. */
async function releaseLease(
  parts: RefreshParts,
  { id, lease, sealed }: Connection,
  result: RefreshResult,
  restMs: number,
): Promise<RefreshResult> {
  const holder = holderOf(lease)
  const failedAt = parts.tools.runtime.now()
  parts.recentFailures.set(id, { generation: sealed?.generation, failedAt, until: failedAt + restMs, result })
  try {
    await change(parts, id, (current) => (holderOf(current.lease) === holder ? { type: "unlease", holder } : undefined))
  } catch (error) {
    parts.report("releasing a lease, which expires in any case", error)
  }
  return result
}

/** After an unknown result the same refresh token is tried once more, immediately (FAPI 2.0 §5.3.2.1). */
async function askProvider(
  parts: RefreshParts,
  leased: Connection,
  fields: SecretFields,
): Promise<ProviderRefreshResult> {
  const firstResult = await askOnce(parts, leased, fields)
  if (firstResult.kind !== "unknown" || firstResult.retryAfterMs !== undefined) return firstResult
  const hasTime = parts.tools.runtime.now() + parts.vaultTimes.requestMs < (leased.lease?.until ?? 0)
  return hasTime ? askOnce(parts, leased, fields) : firstResult
}

async function askOnce(parts: RefreshParts, leased: Connection, fields: SecretFields): Promise<ProviderRefreshResult> {
  try {
    const provider = providerOf(parts, leased.provider)
    const { tools, vaultTimes, kindOf } = parts
    return await runWithDeadline(tools.runtime, vaultTimes.requestMs, () =>
      kindOf(provider).refresh(provider, fields, tools),
    )
  } catch (error) {
    parts.report(`refreshing a connection with ${leased.provider}`, error)
    return { kind: "unknown", reason: { code: "unavailable" } }
  }
}

/** Stores new tokens. They exist only in this process, so the write is repeated during a short database outage. */
async function storeRefreshed(
  parts: RefreshParts,
  leased: Connection,
  credentials: Credentials,
): Promise<RefreshResult> {
  const changed = await retryWhileStoreUnavailable(parts, () =>
    change(
      parts,
      leased.id,
      (current) => {
        // RFC 6749 §5.1: without `scope` the old scopes stand. Scopes that Holdpoint enforces may have changed in the
        // meantime.
        const hasOwnGrantedScopes = credentials.scopes.length > 0 && hasOwnScopes(providerOf(parts, current.provider))
        const scopes = hasOwnGrantedScopes ? credentials.scopes : current.scopes
        const holder = holderOf(leased.lease)
        return { type: "refresh", holder, grant: toGrant(parts, current, { ...credentials, scopes }, current.sealed) }
      },
      { entryKind: "refreshed" },
    ),
  )
  if (changed.ok) return { kind: "fresh", connection: changed.connection }
  const { connection } = changed
  if (connection === undefined || connection.status === "revoked")
    parts.background("revoking what a late refresh got", () =>
      revokeCredentials(parts, connection ?? leased, credentials.fields),
    )
  return toCurrentResult(connection, leased)
}

/**
 * Ends the connection, unless the credentials were replaced, or another node holds the lease and will find out itself.
 */
async function endConnection(parts: RefreshParts, leased: Connection, reason: Reason): Promise<RefreshResult> {
  const changed = await retryWhileStoreUnavailable(parts, () =>
    change(
      parts,
      leased.id,
      ({ status, lease, sealed }) => {
        const isStillLeased =
          sealed?.generation === leased.sealed?.generation && holderOf(lease) === holderOf(leased.lease)
        return status === "active" && isStillLeased ? { type: "lose", reason } : undefined
      },
      { entryKind: "reauth_needed" },
    ),
  )
  return toCurrentResult(changed.connection, leased)
}

function toCurrentResult(current: Connection | undefined, leased: Connection): RefreshResult {
  if (current?.status !== "active") return { kind: "lost", connection: current }
  if (current.sealed?.generation !== leased.sealed?.generation) return { kind: "fresh", connection: current }
  return { kind: "unknown", reason: { code: "refresh_taken_over" } }
}

const maxRestMs = 15 * 60_000
