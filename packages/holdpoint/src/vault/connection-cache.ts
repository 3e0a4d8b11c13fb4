// Which connection met a need last, for as long as nothing is told of its owner's accounts there: it is then read by its
// id, which costs a fraction of looking through all of them. Whether it still meets the need is seen each time.

import type { Connection, Owner } from "../core/connection.ts"
import { ownerKey } from "../core/connection.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import type { Need } from "./need.ts"
import { chooseFor } from "./need.ts"
import type { VaultParts } from "./parts.ts"
import { connectionKind } from "./records.ts"

export interface ConnectionCache {
  /** Undefined when all have to be looked through. */
  recall(need: Need): Promise<Connection | undefined>
  /** To be taken before reading, and given back with what was read: whatever was told meanwhile counts more. */
  mark(): number
  remember(need: Need, connection: Connection, mark: number): void
}

const mostFound = 10_000

export function createConnectionCache(
  { storage }: Pick<VaultParts, "storage">,
  changes: ConnectionChanges,
): ConnectionCache {
  /** By owner and provider, then by account; "" for whichever the owner has. */
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
