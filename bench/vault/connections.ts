// Realistic connections: one for each person, with sealed tokens of the usual length.

import { randomBytes, randomUUID } from "node:crypto"
import type { Connection } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Storage } from "@holdpoint/hub"
import type { Sealer } from "@holdpoint/hub/sealing"
import { connectionKind } from "../../packages/accounts/src/vault/records.ts"

export async function insertConnections(storage: Storage, sealer: Sealer, count: number): Promise<void> {
  const connections = Array.from({ length: count }, (_, at) => newConnection(sealer, `person-${at}`))
  await Promise.all(connections.map((connection) => storage.records(connectionKind).insert(connection)))
}

export function newConnection(sealer: Sealer, subject: string): Connection {
  const person = { tenant: "bench", issuer: "https://login.example.com", subject }
  const [id, now] = [randomUUID(), Date.now()]
  const binding = { tenant: "bench", owner: JSON.stringify(["person", person.issuer, subject]), record: id }
  const [access_token, refresh_token] = [randomBytes(600), randomBytes(48)].map((bytes) => bytes.toString("base64url"))
  return {
    id,
    tenant: "bench",
    owner: toOwner(person),
    provider: "calendar",
    status: "active",
    version: 1,
    scopes: ["read", "write"],
    account: { id: subject, name: `${subject}@example.com` },
    sealed: sealer.seal(binding, {
      access_token: `${access_token}`,
      refresh_token: `${refresh_token}`,
      token_type: "bearer",
    }),
    expiresAt: now + 3_600_000,
    issuedAt: now,
    hasRefreshToken: true,
    connectedBy: person,
    createdAt: now,
    activatedAt: now,
  }
}
