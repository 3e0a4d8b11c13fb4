// Rotation in memory and on SQLite.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import { createSealer, keyStatus, rewrapAll, withNewKey } from "@holdpoint/hub/sealing"
import { memory, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { expect } from "vitest"
import { connectionKind } from "../../../../packages/accounts/src/vault/records.ts"
import { describeRotation } from "./rewrap-cases.ts"
import { insertConnections, openedToken, secretOf } from "./rotation.ts"

describeRotation("memory", memory)
describeRotation("sqlite", sqlite)

verifies(
  "seal.rotates-while-running",
  "reads a record again each time another process changes it first, and undoes none of the changes",
  async () => {
    const inner = createMemoryStorage()
    const ring = withNewKey()
    const [id = ""] = await insertConnections(inner, createSealer(ring), 1)
    let changes = 0
    const storage: Storage = {
      ...inner,
      retention: {
        ...inner.retention,
        async reseal(records) {
          const current = (await inner.records(connectionKind).get(id))!
          if (changes < 5) {
            changes++
            await inner
              .records(connectionKind)
              .replace({ ...current, version: current.version + 1, lastUsedAt: changes })
          }
          return inner.retention.reseal(records)
        },
      },
    }
    const sealer = createSealer(withNewKey(ring))
    expect(await rewrapAll(storage, sealer)).toEqual({ done: 1, failed: [], isFinished: true })
    expect(await inner.records(connectionKind).get(id)).toMatchObject({
      lastUsedAt: 5,
      version: 7,
      sealed: { keyId: sealer.keyId },
    })
    expect(await openedToken(inner, sealer, id)).toBe(secretOf(id))
  },
)

verifies(
  "seal.rotates-while-running",
  "is not reported as finished while another process still seals with the old key",
  async () => {
    const inner = createMemoryStorage()
    const ring = withNewKey()
    const oldSealer = createSealer(ring)
    await insertConnections(inner, oldSealer, 1)
    const { retention } = inner
    const reseal: typeof retention.reseal = async (records) => {
      await insertConnections(inner, oldSealer, 1)
      return retention.reseal(records)
    }
    const rotated = withNewKey(ring)
    const storage: Storage = { ...inner, retention: { ...retention, reseal } }
    expect(await rewrapAll(storage, createSealer(rotated))).toMatchObject({ failed: [], isFinished: false })
    expect(await keyStatus(inner, rotated)).toContainEqual(expect.objectContaining({ id: ring.current, records: 1 }))
    expect(await rewrapAll(inner, createSealer(rotated))).toMatchObject({ failed: [], isFinished: true })
  },
)
