// Eight real processes with 250 callers each meet a connection whose token has ended, on Postgres, again and again.

import { toOwner } from "@holdpoint/accounts"
import { systemRuntime } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { createSealer, serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { alice } from "@holdpoint/testkit/fixtures"
import { databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { usually } from "@holdpoint/testkit/long"
import { verifies } from "@holdpoint/testkit/verifies"
import { expect } from "vitest"
import type { GrantParts } from "../../src/vault/grants.ts"
import { activate, storeGrant } from "../../src/vault/grants.ts"
import { startTokenEndpoint } from "./many-processes/provider.ts"

const processes = 8
const rounds = usually(5, { long: 50 })

const ring = withNewKey()

verifies(
  "connection.one-refresh",
  "8 processes with 250 callers each share one refresh request, every time",
  async () => {
    const schema = newSchema()
    const endpoint = await startTokenEndpoint()
    const storage = await openPostgres(databaseUrl(), { schema })
    const parts = { storage, sealer: createSealer(ring), tools: { fetch, runtime: systemRuntime } }
    const nodes = Array.from({ length: processes }, () =>
      startChild(
        "packages/accounts/test/vault/many-processes/node.ts",
        databaseUrl(),
        schema,
        endpoint.url,
        serializeKeyRing(ring),
      ),
    )
    try {
      for (const node of nodes) expect(await node.line()).toBe('"open"')
      for (let round = 0; round < rounds; round++) {
        const id = await addEndedConnection(parts, `refresh-${round}`)
        for (const node of nodes) node.say(id)
        const got = await Promise.all(nodes.map((node) => node.line()))
        expect(got.map((line) => JSON.parse(line))).toEqual(
          Array.from({ length: processes }, () => ({ callers: 250, tokens: [`refresh-${round}-access`] })),
        )
        expect(endpoint.presented.get(`refresh-${round}`)).toBe(1)
      }
      expect([...endpoint.presented.values()]).toEqual(Array.from({ length: rounds }, () => 1))
    } finally {
      for (const node of nodes) node.process.stdin?.end()
      await Promise.all(nodes.map(({ gone }) => gone))
      await storage.close()
      await endpoint.close()
      await runSql(`DROP SCHEMA ${schema} CASCADE`)
    }
  },
)

async function addEndedConnection(parts: GrantParts, refresh_token: string): Promise<string> {
  const now = systemRuntime.now()
  const credentials = {
    fields: { access_token: "ended", refresh_token, scope: "files" },
    scopes: ["files"],
    issuedAt: now - 7_200_000,
    expiresAt: now - 3_600_000,
  }
  const pending = await storeGrant(parts, { owner: toOwner(alice), provider: "counting", credentials, by: alice })
  await activate(parts, pending.id, { by: alice })
  return pending.id
}
