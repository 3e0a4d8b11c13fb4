// Keeps an owner's usable connections with a provider in memory, so that finding a connected account makes no query.
// Every change notification drops them. Holds no secrets: credentials are opened, and checked again, for each call.

import type { Connection, Owner } from "../core/connection.ts"
import { ownerKey } from "../core/connection.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { Need } from "./need.ts"
import { chooseFor } from "./need.ts"
import type { VaultParts } from "./parts.ts"

export interface ConnectionCache {
  /** Returns undefined when the owner's connections have to be listed: only a met need is answered from memory. */
  recall(need: Need): Connection | undefined
  /**
   * Take a mark before listing and pass it to `remember`: a change notification in between makes `remember` a no-op.
   */
  mark(): number
  /** Keeps the connections of the need's owner and provider. */
  remember(need: Need, owned: readonly Connection[], mark: number): void
  /** Drops what was kept together with this connection, ahead of the notification of this process's own change. */
  forget(id: string): void
}

interface Kept {
  readonly connections: readonly Connection[]
  readonly readAt: number
}

const mostKept = 10_000

export function createConnectionCache(
  { tools: { runtime }, pace: { trustMs } }: Pick<VaultParts, "tools" | "pace">,
  changes: ConnectionChanges,
): ConnectionCache {
  /** Keyed by owner and provider. */
  const kept = new Map<string, Kept>()
  let told = 0
  changes.listen(({ facts: { owner, provider } }) => {
    told++
    kept.delete(placeOf(owner, provider))
  })
  return {
    recall(need) {
      const known = kept.get(placeOf(need.owner, need.provider))
      if (known === undefined) return undefined
      const age = runtime.now() - known.readAt
      return age >= 0 && age < trustMs ? chooseFor(need, known.connections) : undefined
    },
    mark: () => told,
    remember(need, owned, mark) {
      if (mark !== told) return
      const place = placeOf(need.owner, need.provider)
      const [oldest] = kept.keys()
      if (kept.size >= mostKept && !kept.has(place) && oldest !== undefined) kept.delete(oldest)
      const connections = owned.filter(({ provider }) => provider === need.provider).map(withoutSecrets)
      kept.set(place, { connections, readAt: runtime.now() })
    },
    forget(id) {
      told++
      for (const [place, { connections }] of kept) {
        if (connections.some((connection) => connection.id === id)) kept.delete(place)
      }
    },
  }
}

function withoutSecrets({ sealed: _sealed, ...connection }: Connection): Connection {
  return connection
}

const placeOf = (owner: Owner, provider: string): string => JSON.stringify([owner.tenant, ownerKey(owner), provider])
