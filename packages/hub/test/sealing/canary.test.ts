// The canary: with wrong or missing keys nothing starts, and nothing is changed.

import { randomBytes } from "node:crypto"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { checkKeys, hasKeys, whatIsWrong } from "../../src/sealing/canary.ts"
import { withNewKey, withoutKeys } from "../../src/sealing/key-ring.ts"
import { dataKeyKind } from "../../src/sealing/records.ts"
import { createSealer } from "../../src/sealing/seal.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"

const canaryOf = (storage: ReturnType<typeof createMemoryStorage>) => storage.records(dataKeyKind).get("canary")

describe("the check of the keys at the start", () => {
  it("makes the first keys the keys of the database", async () => {
    const storage = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    expect(await hasKeys(storage)).toBe(false)
    await checkKeys(storage, sealer, () => 7)
    expect(await hasKeys(storage)).toBe(true)
    expect(await canaryOf(storage)).toMatchObject({ tenant: "", purpose: "canary", version: 1, createdAt: 7 })
    await checkKeys(storage, sealer)
    expect((await canaryOf(storage))?.version).toBe(1)
  })

  it.each([
    ["a key that is not the database's", () => withNewKey()],
    ["another key under the same id", (id: string) => ({ current: id, keys: new Map([[id, randomBytes(32)]]) })],
  ])("refuses %s, says what to do, and changes nothing", async (_what, ringOf) => {
    const storage = createMemoryStorage()
    const ring = withNewKey()
    await checkKeys(storage, createSealer(ring))
    const before = await canaryOf(storage)
    const wrong = createSealer(ringOf(ring.current))
    await expect(checkKeys(storage, wrong)).rejects.toMatchObject({
      code: "wrong_key",
      message: expect.stringMatching(new RegExp(`“${ring.current}”[\\s\\S]*HOLDPOINT_KEYS[\\s\\S]*keys status`)),
    })
    expect(await whatIsWrong(storage, wrong)).toContain(ring.current)
    expect(await whatIsWrong(storage, createSealer(ring))).toBeUndefined()
    expect(await canaryOf(storage)).toEqual(before)
  })

  verifies("seal.canary", "refuses a canary that was altered", async () => {
    const storage = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    await checkKeys(storage, sealer)
    const canary = (await canaryOf(storage))!
    await storage.records(dataKeyKind).replace({ ...canary, version: 2, sealed: { ...canary.sealed, generation: 2 } })
    await expect(checkKeys(storage, sealer)).rejects.toMatchObject({ code: "wrong_key" })
  })

  it("refuses another value that the same key sealed in place of the canary", async () => {
    const storage = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    await checkKeys(storage, sealer)
    const canary = (await canaryOf(storage))!
    const sealed = sealer.seal({ tenant: "", owner: "canary", record: "canary" }, { song: "another" })
    await storage.records(dataKeyKind).replace({ ...canary, version: 2, sealed })
    await expect(checkKeys(storage, sealer)).rejects.toMatchObject({ code: "wrong_key" })
  })

  it("accepts a ring that still has the old key, which is not needed afterwards", async () => {
    const storage = createMemoryStorage()
    const old = withNewKey()
    await checkKeys(storage, createSealer(old))
    const rotated = withNewKey(old)
    await checkKeys(storage, createSealer(rotated))
    expect((await canaryOf(storage))?.sealed.keyId).toBe(rotated.current)
    await checkKeys(storage, createSealer(withoutKeys(rotated, [old.current])))
    await expect(checkKeys(storage, createSealer(old))).rejects.toMatchObject({ code: "wrong_key" })
  })

  verifies(
    "seal.canary",
    "accepts the same keys ten times concurrently, and only one of two different keys",
    async () => {
      const storage = createMemoryStorage()
      const sealer = createSealer(withNewKey())
      await Promise.all(Array.from({ length: 10 }, () => checkKeys(storage, sealer)))
      const other = createMemoryStorage()
      const results = await Promise.allSettled([1, 2].map(() => checkKeys(other, createSealer(withNewKey()))))
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
    },
  )
})
