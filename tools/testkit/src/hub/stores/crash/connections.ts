// Stores, changes and removes connections, each with a trail entry, until the process is killed; and checks afterwards
// that the stored records match the trail.

import assert from "node:assert/strict"
import { connectionKind } from "@holdpoint/accounts/internal"
import type { Entry, Storage } from "@holdpoint/hub"
import type { Connection, EntryKind } from "@holdpoint/hub/internal"
import { toOwner } from "@holdpoint/hub/internal"
import type { Acknowledged } from "./kill.ts"

const prefix = "connection-"
const alice = { tenant: "acme", issuer: "https://id.example", subject: "alice" }

export const isOfConnection = ({ id }: { readonly id: string }): boolean => id.startsWith(prefix)

export interface Step {
  readonly id: string
  readonly revision: number
  readonly status: EntryKind
}

export async function keepConnecting(
  storage: Storage,
  acknowledged: (step: Step, take: () => Promise<boolean>) => Promise<void>,
): Promise<never> {
  const connections = storage.records(connectionKind)
  const tell = ({ id, tenant, version }: Connection, kind: EntryKind) =>
    ({ id, tenant, kind, at: 0, detail: { message: `version ${version}` } }) as const
  for (let round = 0; ; round++) {
    const first = newConnection()
    const { id } = first
    const next = { ...first, version: 2 }
    await acknowledged({ id, revision: 1, status: "connected" }, () =>
      connections.insert(first, tell(first, "connected")),
    )
    await acknowledged({ id, revision: 2, status: "refreshed" }, () =>
      connections.replace(next, tell(next, "refreshed")),
    )
    // This write is too late: it must fail and leave no trail entry.
    assert.equal(await connections.replace(next, tell(next, "reauth_needed")), false)
    if (round % 2 === 0) continue
    await acknowledged({ id, revision: 3, status: "disconnected" }, () =>
      connections.remove(next, tell(next, "disconnected")),
    )
  }
}

/** Every acknowledged step is stored, and each connection matches its trail entries exactly. */
export async function reconcileConnections(
  storage: Storage,
  entries: readonly Entry[],
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const connections = storage.records(connectionKind)
  const entriesById = Map.groupBy(entries, ({ id }) => id)
  const kinds = ["connected", "refreshed", "disconnected"]
  for (const { id, revision } of acknowledged) {
    assert.ok((entriesById.get(id)?.length ?? 0) >= revision, `version ${revision} of ${id} is in the trail`)
  }
  for (const [id, steps] of entriesById) {
    assert.deepEqual(
      steps.map(({ kind }) => kind),
      kinds.slice(0, steps.length),
    )
    assert.equal((await connections.get(id))?.version, steps.length === 3 ? undefined : steps.length)
  }
  const stored = await connections.list({ tenant: "acme", limit: 1_000_000 })
  assert.equal(stored.length, [...entriesById.values()].filter(({ length }) => length < 3).length, "none is untold of")
  assert.ok(stored.length > 0)
}

function newConnection(): Connection {
  return {
    id: `${prefix}${crypto.randomUUID()}`,
    tenant: "acme",
    owner: toOwner(alice),
    provider: "calendar",
    status: "active",
    version: 1,
    scopes: [],
    issuedAt: 0,
    hasRefreshToken: false,
    connectedBy: alice,
    createdAt: 0,
  }
}
