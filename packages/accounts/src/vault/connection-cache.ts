// Keeps an owner's usable connections with a provider in memory, so that finding a connected account makes no query. A
// change notification drops its owner's entry. Holds no secrets: credentials are opened, and checked again, for each
// call.

import type { Connection, Need, Owner } from "@holdpoint/hub/internal"
import { ownerKey } from "@holdpoint/hub/internal"
import type { ConnectionChanges } from "./connection-changes.ts"
import { chooseFor } from "./need.ts"
import type { VaultParts } from "./parts.ts"

export interface ConnectionCache {
  /** The cached connection that meets the need. Undefined means that the owner's connections have to be listed. */
  recall(need: Need): Connection | undefined
  /**
   * Take a mark before listing and pass it to `remember`: a change notification in between makes `remember` a no-op.
   */
  takeMark(): number
  /** Caches the connections of the need's owner and provider, without their secrets. */
  remember(need: Need, ownedConnections: readonly Connection[], mark: number): void
  /** Drops each entry that contains this connection, before the notification of a change by this process arrives. */
  forget(id: string): void
}

interface CachedConnections {
  readonly connections: readonly Connection[]
  readonly readAt: number
}

const mostEntries = 10_000

export function createConnectionCache(
  { tools: { runtime }, vaultTimes: { trustMs } }: Pick<VaultParts, "tools" | "vaultTimes">,
  changes: ConnectionChanges,
): ConnectionCache {
  /** Keyed by owner and provider. */
  const cache = new Map<string, CachedConnections>()
  let notificationCount = 0
  changes.listen(({ facts: { owner, provider } }) => {
    notificationCount++
    cache.delete(cacheKeyOf(owner, provider))
  })
  return {
    recall(need) {
      const cached = cache.get(cacheKeyOf(need.owner, need.provider))
      if (cached === undefined) return undefined
      const age = runtime.now() - cached.readAt
      return age >= 0 && age < trustMs ? chooseFor(need, cached.connections) : undefined
    },
    takeMark: () => notificationCount,
    remember(need, ownedConnections, mark) {
      if (mark !== notificationCount) return
      const key = cacheKeyOf(need.owner, need.provider)
      const [oldest] = cache.keys()
      if (cache.size >= mostEntries && !cache.has(key) && oldest !== undefined) cache.delete(oldest)
      const connections = ownedConnections.filter(({ provider }) => provider === need.provider).map(withoutSecrets)
      cache.set(key, { connections, readAt: runtime.now() })
    },
    forget(id) {
      notificationCount++
      for (const [key, { connections }] of cache) {
        if (connections.some((connection) => connection.id === id)) cache.delete(key)
      }
    },
  }
}

function withoutSecrets({ sealed: _sealed, ...connection }: Connection): Connection {
  return connection
}

const cacheKeyOf = (owner: Owner, provider: string): string => JSON.stringify([owner.tenant, ownerKey(owner), provider])
