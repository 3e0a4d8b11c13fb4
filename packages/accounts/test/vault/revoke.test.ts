// Disconnecting: use stops first, the revocation is retried until upstream confirms it, and no secret stays behind.

import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { alice } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { retryAt } from "../../../hub/src/core/due.ts"
import { activate, storeGrant } from "../../src/vault/grants.ts"
import type { ProviderRevokeResult } from "../../src/vault/kind.ts"
import { connectionKind, revocationKind } from "../../src/vault/records.ts"
import { disconnect, revocationWork } from "../../src/vault/revoke.ts"
import { defaultVaultTimes } from "../../src/vault/times.ts"
import { need, setUp, toCredentials } from "./scripted.ts"

const later: ProviderRevokeResult = { kind: "later", reason: { code: "unavailable" } }
const minute = 60_000
const all = { dueBefore: Number.MAX_SAFE_INTEGER, limit: 10 }

describe("disconnecting", () => {
  verifies(
    "connection.given-back-in-order",
    "stops use, notifies all nodes, revokes the grant and deletes the credentials, in this order",
    async () => {
      const { vault, connected, books, stored, storage, trailOf } = setUp()
      const { id, connectedBy } = await connected()
      books.revocations.push(async () => {
        expect(await stored(id)).toMatchObject({ status: "revoked", sealed: expect.anything() })
        expect((await trailOf(id)).at(-1)).toMatchObject({ kind: "disconnected", detail: { by: connectedBy } })
        return { kind: "revoked" }
      })
      expect(await vault.disconnect(id, { by: connectedBy })).toEqual({ kind: "disconnected", upstream: "revoked" })
      const last = await stored(id)
      expect(last).toMatchObject({ status: "revoked", hasRefreshToken: false, reason: { code: "disconnected" } })
      expect(last.sealed).toBeUndefined()
      expect(books.revoked).toEqual(["first-access-0"])
      expect(await storage.records(revocationKind).list(all)).toEqual([])
    },
  )

  it("may be done twice, and by several nodes at the same time", async () => {
    const { vault, another, connected, books, storage, trailOf } = setUp()
    const { id, connectedBy } = await connected()
    await Promise.all([vault, another(), another()].map((node) => node.disconnect(id, { by: connectedBy })))
    expect(await vault.disconnect(id, { by: connectedBy })).toEqual({ kind: "disconnected", upstream: "revoked" })
    expect(books.revoked).toEqual(["first-access-0"])
    expect((await trailOf(id)).filter(({ kind }) => kind === "disconnected")).toHaveLength(1)
    expect(await storage.records(revocationKind).list(all)).toEqual([])
  })

  it("notifies all nodes even when the connection was activated at the last moment", async () => {
    const { storage, parts, trailOf, clock } = setUp()
    const credentials = toCredentials({ access_token: "first-access-0" }, clock.now())
    const { id } = await storeGrant(parts, { owner: need.owner, provider: "drive", credentials, by: alice })
    let reads = 0
    const racing = overriding(storage, connectionKind, (connections) => ({
      async get(one) {
        const connection = await connections.get(one)
        // Read as pending to plan the end of it, and active by the time that it is written.
        if (++reads === 2) await activate(parts, id, { by: alice })
        return connection
      },
    }))
    await disconnect({ ...parts, storage: racing }, id, { by: alice })
    expect((await trailOf(id)).map(({ kind }) => kind)).toEqual(["connected", "disconnected"])
  })

  it("says where the person can remove the grant, when the provider has no revocation", async () => {
    const { vault, connected, books, stored } = setUp()
    const { id, connectedBy } = await connected()
    books.revocations.push(() => ({ kind: "impossible", settings: "https://drive.example/settings" }))
    const disconnected = await vault.disconnect(id, { by: connectedBy })
    expect(disconnected).toEqual({
      kind: "disconnected",
      upstream: "impossible",
      settings: "https://drive.example/settings",
    })
    expect((await stored(id)).sealed).toBeUndefined()
  })

  it("works when the sealing key is lost, and says that revocation upstream is impossible", async () => {
    const { another, connected, stored, storage, books } = setUp()
    const { id, connectedBy } = await connected()
    const other = another({ sealer: createSealer(withNewKey()) })
    expect(await other.disconnect(id, { by: connectedBy })).toEqual({ kind: "disconnected", upstream: "impossible" })
    expect(await stored(id)).toMatchObject({ status: "revoked" })
    expect((await stored(id)).sealed).toBeUndefined()
    expect(books.revoked).toEqual([])
    expect(await storage.records(revocationKind).list(all)).toEqual([])
  })

  it("of a connection that does not exist fails as not found", async () => {
    await expect(setUp().vault.disconnect("nothing", { by: alice })).rejects.toMatchObject({ code: "not_found" })
  })
})

describe("a revocation that upstream has not confirmed", () => {
  verifies(
    "connection.outbox",
    "is kept sealed in the outbox, not in the connection, and is retried until it succeeds",
    async () => {
      const { vault, connected, books, stored, storage, clock } = setUp()
      const { id, connectedBy } = await connected()
      books.revocations.push(
        () => later,
        () => Promise.reject(new Error("reset")),
        () => later,
      )
      expect(await vault.disconnect(id, { by: connectedBy })).toEqual({ kind: "disconnected", upstream: "later" })
      expect((await stored(id)).sealed).toBeUndefined()
      const [waiting] = await storage.records(revocationKind).list(all)
      expect(waiting).toMatchObject({ connection: id, attempts: 1, lastProblem: "unavailable" })
      expect(JSON.stringify(waiting)).not.toContain("first-access")
      await clock.advance(minute + 1_000)
      expect((await storage.records(revocationKind).list(all))[0]).toMatchObject({ attempts: 2 })
      await clock.advance(5 * minute)
      expect(books.revoked).toEqual([])
      await clock.advance(4 * minute)
      expect(books.revoked).toEqual(["first-access-0"])
      expect(await storage.records(revocationKind).list(all)).toEqual([])
    },
  )

  it("is retried with the tokens that the first attempt renewed, because the old ones cannot be renewed again", async () => {
    const { vault, connected, books, stored, storage, clock } = setUp()
    const { id, connectedBy } = await connected()
    books.revocations.push(() => ({ ...later, renewedFields: { access_token: "renewed-access" } }))
    await vault.disconnect(id, { by: connectedBy })
    expect((await stored(id)).sealed).toBeUndefined()
    expect(JSON.stringify(await storage.records(revocationKind).list(all))).not.toContain("renewed-access")
    await clock.advance(minute + 1_000)
    expect(books.revoked).toEqual(["renewed-access"])
  })

  it("is retried with renewed tokens even if the process died before it deleted the old ones", async () => {
    const { parts, connected, another, storage, books, stored, clock } = setUp()
    const { id, connectedBy } = await connected()
    books.revocations.push(() => ({ ...later, renewedFields: { access_token: "renewed-access" } }))
    const mortal = overriding(storage, connectionKind, ({ replace }) => ({
      replace: (next, entry) =>
        next.sealed === undefined ? Promise.reject(new Error("killed")) : replace(next, entry),
    }))
    await disconnect({ ...parts, storage: mortal }, id, { by: connectedBy }).catch(() => {})
    expect((await stored(id)).sealed).toBeDefined()
    another()
    await clock.advance(15 * minute)
    expect(books.revoked).toEqual(["renewed-access"])
    expect((await stored(id)).sealed).toBeUndefined()
  })

  it("waits as long as the provider wishes", async () => {
    const { vault, connected, books, clock } = setUp()
    const { id, connectedBy } = await connected()
    books.revocations.push(() => ({ ...later, retryAfterMs: 20 * minute }))
    await vault.disconnect(id, { by: connectedBy })
    await clock.advance(19 * minute)
    expect(books.revoked).toEqual([])
    await clock.advance(2 * minute)
    expect(books.revoked).toEqual(["first-access-0"])
  })

  it("backs off from one minute up to six hours", () => {
    const delays = revocationWork(defaultVaultTimes)
    const pauseAfter = (attempts: number) =>
      (retryAt({ attempts }, { delays, terms: {}, now: 0, random: 0 }) ?? 0) / minute
    const pauses = Array.from({ length: 12 }, (_, index) => pauseAfter(index + 1))
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360])
    expect(pauseAfter(5_000)).toBe(360)
  })

  verifies("connection.outbox", "is tried by one node only, although all are awake", async () => {
    const { vault, another, connected, books, clock } = setUp()
    const { id, connectedBy } = await connected()
    const nodes = [vault, another(), another()]
    let tries = 0
    const count = (): ProviderRevokeResult => {
      tries += 1
      return later
    }
    books.revocations.push(count, count, count)
    await vault.disconnect(id, { by: connectedBy })
    clock.set(clock.now() + minute)
    await Promise.all(nodes.map((node) => node.work()))
    expect(tries).toBe(2)
  })
})

describe("a process that dies", () => {
  it.each([
    ["before use was stopped", 1, 0],
    ["before upstream was asked", 2, 0],
    ["before the credentials were deleted", 2, 1],
    ["before the outbox entry was removed", 3, 1],
  ])("%s leaves nothing undone", async (_when, writes, asked) => {
    const { parts, connected, another, storage, books, stored, clock } = setUp()
    const { id, connectedBy } = await connected()
    const died = (): Promise<never> => Promise.reject(new Error("killed"))
    let left = writes
    const dying = <F extends (...values: never[]) => Promise<unknown>>(write: F): F =>
      ((...values) => (left-- > 0 ? write(...values) : died())) as F
    if (asked === 0) books.revocations.push(died)
    const withMortals = overriding(storage, connectionKind, ({ replace }) => ({ replace: dying(replace) }))
    const mortal = overriding(withMortals, revocationKind, ({ insert, replace, remove }) => ({
      ...{ insert: dying(insert), replace: dying(replace), remove: dying(remove) },
    }))
    await disconnect({ ...parts, storage: mortal }, id, { by: connectedBy }).catch(() => {})
    books.revocations.length = 0
    another()
    await clock.advance(15 * minute)
    const last = await stored(id)
    expect(last.status).toBe("revoked")
    expect(last.sealed).toBeUndefined()
    expect(books.revoked).toContain("first-access-0")
    expect(await storage.records(revocationKind).list(all)).toEqual([])
  })
})

describe("closing", () => {
  it("ends the background work, and no revocation is tried afterwards", async () => {
    const { vault, connected, books, clock } = setUp()
    const { id, connectedBy } = await connected()
    books.revocations.push(() => later)
    await vault.disconnect(id, { by: connectedBy })
    await vault.close()
    await clock.advance(60 * minute)
    expect(books.revoked).toEqual([])
  })
})
