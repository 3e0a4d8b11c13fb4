// Every step that a connection may take, and every step that is refused.

import { alice, now } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import type { Connection, ConnectionEvent, ConnectionStatus } from "../../src/core/connection.ts"
import { connectionTransitions, toOwner, transitionConnection } from "../../src/core/connection.ts"

const later = now + 1_000
const sealed = { keyId: "k1", wrapped: "w", generation: 1, fields: { access_token: "t" } }
const reason = { code: "grant_ended" }
const grant = { sealed: { ...sealed, generation: 2 }, scopes: ["files"], issuedAt: later, hasRefreshToken: true }
const statuses: readonly ConnectionStatus[] = ["pending", "active", "needs_reauth", "revoked"]

const events: { readonly [T in ConnectionEvent["type"]]: Extract<ConnectionEvent, { type: T }> } = {
  activate: { type: "activate", account: { id: "a1" } },
  widen: { type: "widen", scopes: ["files", "mail"] },
  narrow: { type: "narrow", scopes: ["files"] },
  lease: { type: "lease", lease: { holder: "me", until: later + 1_000 } },
  refresh: { type: "refresh", holder: "me", grant },
  unlease: { type: "unlease", holder: "me" },
  lose: { type: "lose", reason },
  use: { type: "use" },
  rewrap: { type: "rewrap", sealed: { ...sealed, keyId: "k2" } },
  revoke: { type: "revoke", reason },
  shred: { type: "shred" },
}

const connection = (more: Partial<Connection> = {}): Connection => ({
  id: "c1",
  tenant: alice.tenant,
  owner: toOwner(alice),
  provider: "notes",
  status: "active",
  version: 3,
  sealed,
  scopes: ["files"],
  issuedAt: now,
  expiresAt: later,
  hasRefreshToken: true,
  connectedBy: alice,
  createdAt: now,
  lease: { holder: "me", until: later + 1_000 },
  ...more,
})

function stepped(current: Connection, event: ConnectionEvent): Connection {
  const judged = transitionConnection(current, event, later)
  if (!judged.ok) throw new Error(judged.message)
  return judged.next
}

describe("a connection", () => {
  verifies("connection.narrowed", "can be widened or narrowed without any other change", () => {
    const before = connection({ scopes: ["files", "notes"] })
    expect(stepped(before, events.widen)).toEqual({ ...before, version: 4, scopes: ["files", "notes", "mail"] })
    expect(stepped(before, events.narrow)).toEqual({ ...before, version: 4, scopes: ["notes"] })
  })

  verifies("connection.states", "takes only the listed steps, each of which raises its version by one", () => {
    for (const status of statuses) {
      for (const event of Object.values(events)) {
        const expected = connectionTransitions[status][event.type]
        const judged = transitionConnection(connection({ status }), event, later)
        expect(judged, `${status} ${event.type}`).toMatchObject(
          expected === undefined ? { ok: false } : { ok: true, next: { status: expected, version: 4 } },
        )
      }
    }
  })

  verifies("connection.states", "cannot be revived once it was revoked", () => {
    const revoked = connection({ status: "revoked" })
    for (const type of ["activate", "lease", "refresh", "use", "lose"] as const)
      expect(transitionConnection(revoked, events[type], later)).toMatchObject({
        ok: false,
        code: "connection_revoked",
      })
  })

  verifies("connection.states", "lets only the holder of the lease write the result of a refresh", () => {
    const leased = connection({ lease: { holder: "another", until: later + 1_000 } })
    for (const type of ["lease", "refresh", "unlease"] as const)
      expect(transitionConnection(leased, events[type], later)).toMatchObject({ ok: false, code: "refresh_under_way" })
    expect(stepped(connection({ lease: { holder: "another", until: later } }), events.lease).lease?.holder).toBe("me")
  })

  verifies("connection.states", "drops the lease, the reason and the secrets of the previous step", () => {
    expect(stepped(connection(), events.refresh)).not.toHaveProperty("lease")
    expect(stepped(connection(), events.refresh)).not.toHaveProperty("expiresAt")
    expect(stepped(connection({ status: "needs_reauth", reason }), events.activate)).not.toHaveProperty("reason")
    const shredded = stepped(stepped(connection(), events.revoke), events.shred)
    expect(shredded).not.toHaveProperty("sealed")
    expect(shredded).toMatchObject({ status: "revoked", hasRefreshToken: false, endedAt: later, reason })
  })
})
