// A directory source: a person's connected account at a provider is also an address to reach them at.

import type { Storage } from "@holdpoint/hub"
import { ownerKey, toOwner } from "@holdpoint/hub/internal"
import type { DirectorySource } from "@holdpoint/hub/outlets"
import { connectionKind } from "./records.ts"

const mostRead = 100

/**
 * Returns a directory source in which people are reached by the accounts that they connected. `providers` names the
 * provider for each kind of address: `{ slack: "slack" }`. It resolves no roles.
 */
export function linkedAccounts(
  storage: Pick<Storage, "records">,
  providers: Readonly<Record<string, string>>,
): DirectorySource {
  const connections = storage.records(connectionKind)
  return {
    async addresses(kind, person) {
      const provider = Object.hasOwn(providers, kind) ? providers[kind] : undefined
      if (provider === undefined) return []
      const owner = ownerKey(toOwner(person))
      const ownedConnections = await connections.list({ tenant: person.tenant, owner, limit: mostRead })
      return ownedConnections
        .filter((connection) => connection.provider === provider && connection.status === "active")
        .flatMap(({ account }) => (account === undefined ? [] : [account.id]))
    },
    people: async () => [],
  }
}
