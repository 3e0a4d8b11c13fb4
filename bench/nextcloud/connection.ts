// A connected Nextcloud account, as the login flow stores it, with sealed credentials.

import { randomUUID } from "node:crypto"
import type { Connection } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { Cloud } from "./stand-in-child.ts"

export function newConnection(sealer: Sealer, subject: string, { url, user, password }: Cloud): Connection {
  const person = { tenant: "bench", issuer: "https://login.example.com", subject }
  const [id, now] = [randomUUID(), Date.now()]
  const binding = { tenant: "bench", owner: JSON.stringify(["person", person.issuer, subject]), record: id }
  return {
    id,
    tenant: "bench",
    owner: toOwner(person),
    provider: "nextcloud",
    status: "active",
    version: 1,
    scopes: ["notes.read", "files.read"],
    account: { id: user, name: user },
    sealed: sealer.seal(binding, { login_name: user, app_password: password, server: url }),
    issuedAt: now,
    hasRefreshToken: false,
    connectedBy: person,
    createdAt: now,
    activatedAt: now,
  }
}
