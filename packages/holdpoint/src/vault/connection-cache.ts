// Remembers the id of the connection that last met a need, until a change of the owner's accounts at that provider.
// Reading by id is much cheaper than listing. Every lookup still checks that the connection meets the need.

import type { Connection, Owner } from "../core/connection.ts"
import { ownerKey } from "../core/connection.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { Need } from "./need.ts"
import { chooseFor } from "./need.ts"
import type { VaultParts } from "./parts.ts"
import { connectionKind } from "./records.ts"

export interface ConnectionCache {
  /** Returns undefined when the owner's connections have to be listed. */
  recall(need: Need): Promise<Connection | undefined>
  /**
   * Take a mark before reading and pass it to `remember`: a change notification in between makes `remember` a no-op.
   */
  mark(): number
  remember(need: Need, connection: Connection, mark: number): void
}

const mostFound = 10_000

export function createConnectionCache(
  { storage }: Pick<VaultParts, "storage">,
  changes: ConnectionChanges,
): ConnectionCache {
  /** Keyed by owner and provider, then by account id; "" when the need names no account. */
  const found = new Map<string, Map<string, string>>()
  let told = 0
  changes.listen(({ facts: { owner, provider } }) => {
    told++
    found.delete(placeOf(owner, provider))
  })
  return {
    async recall(need) {
      const id = found.get(placeOf(need.owner, need.provider))?.get(need.account ?? "")
      const connection = id === undefined ? undefined : await storage.records(connectionKind).get(id)
      return connection === undefined ? undefined : chooseFor(need, [connection])
    },
    mark: () => told,
    remember(need, { id }, mark) {
      if (mark !== told) return
      const place = placeOf(need.owner, need.provider)
      const [oldest] = found.keys()
      if (found.size >= mostFound && oldest !== undefined) found.delete(oldest)
      found.set(place, (found.get(place) ?? new Map()).set(need.account ?? "", id))
    },
  }
}

const placeOf = (owner: Owner, provider: string): string => JSON.stringify([owner.tenant, ownerKey(owner), provider])
