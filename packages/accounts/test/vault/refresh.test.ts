// Refreshing: one request at a time, before expiry, and no live connection is declared lost.

import { HoldpointError } from "@holdpoint/hub"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { mergeInto, storeGrant } from "../../src/vault/grants.ts"
import type { ProviderRefreshResult } from "../../src/vault/kind.ts"
import { refreshTimeOf } from "../../src/vault/opened-connections.ts"
import { connectionKind } from "../../src/vault/records.ts"
import { drive, gate, hour, need, setUp } from "./scripted.ts"

const url = "https://api.drive.example/files"
const unknown: ProviderRefreshResult = { kind: "unknown", reason: { code: "timeout" } }
const dead: ProviderRefreshResult = { kind: "dead", reason: { code: "grant_ended" } }

describe("a connection whose token has expired", () => {
  verifies("connection.one-refresh", "is refreshed once for 250 callers on each of three nodes", async () => {
    const { vault, another, connected, clock, books, calls } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const handles = await Promise.all([vault, another(), another()].map((node) => node.use(id)))
    const answers = Promise.all(handles.flatMap((handle) => Array.from({ length: 250 }, () => handle.fetch(url))))
    await clock.advance(2_000)
    expect((await answers).every(({ status }) => status === 200)).toBe(true)
    expect(books.presented).toEqual(["first-refresh-0"])
    expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer first-access-1"]))
  })

  it("costs about one database read per caller, with 250 callers on a node", async () => {
    const { another, storage, connected, clock } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    let work = 0
    const counted = <F extends (...values: never[]) => unknown>(step: F): F =>
      ((...values) => {
        work += 1
        return step(...values)
      }) as F
    const counting = overriding(storage, connectionKind, ({ get, replace }) => ({
      get: counted(get),
      replace: counted(replace),
    }))
    const handle = await another({ storage: counting }).use(id)
    await handle.credentials()
    clock.set(clock.now() + hour)
    work = 0
    await Promise.all(Array.from({ length: 250 }, () => handle.credentials()))
    // Each caller whose trust has run out reads once; the lease and its write are made once.
    expect(work).toBeLessThan(250 + 10)
  })

  it("stores the new refresh token together with the new access token, with one entry in the trail", async () => {
    const { vault, connected, clock, books, stored, trailOf } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    await (await vault.use(id)).fetch(url)
    clock.set(clock.now() + hour)
    await (await vault.use(id)).fetch(url)
    expect(books.presented).toEqual(["first-refresh-0", "first-refresh-1"])
    const kinds = (await trailOf(id)).map(({ kind }) => kind)
    expect(kinds).toEqual(["connected", "refreshed", "refreshed"])
    expect(await stored(id)).toMatchObject({ status: "active", hasRefreshToken: true })
    expect((await stored(id)).lease).toBeUndefined()
  })

  verifies(
    "connection.only-the-provider-ends-it",
    "fails with a retryable error when the provider cannot be reached, stays active, and works again later",
    async () => {
      const { vault, connected, clock, books, stored } = setUp()
      const { id } = await connected({ lifeMs: 1_000 })
      clock.set(clock.now() + hour)
      books.script.push(
        () => unknown,
        () => unknown,
      )
      const handle = await vault.use(id)
      await expect(handle.fetch(url)).rejects.toMatchObject({ code: "provider_unavailable", retryable: true })
      expect(books.presented).toEqual(["first-refresh-0", "first-refresh-0"])
      expect(await stored(id)).toMatchObject({ status: "active" })
      expect((await stored(id)).lease).toBeUndefined()
      await expect(handle.fetch(url)).rejects.toMatchObject({ code: "provider_unavailable" })
      expect(books.presented).toHaveLength(2)
      clock.set(clock.now() + 5_000)
      expect((await handle.fetch(url)).status).toBe(200)
    },
  )

  it("is refreshed again immediately with the same refresh token after a failed attempt", async () => {
    const { vault, connected, clock, books } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    books.script.push(() => Promise.reject(new TypeError("socket hang up")))
    expect((await (await vault.use(id)).fetch(url)).status).toBe(200)
    expect(books.presented).toEqual(["first-refresh-0", "first-refresh-0"])
  })

  it("is not tried again before the time that the provider names", async () => {
    const { vault, connected, clock, books } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    books.script.push(() => ({ ...unknown, retryAfterMs: 30_000 }))
    const handle = await vault.use(id)
    await expect(handle.fetch(url)).rejects.toMatchObject({ code: "provider_unavailable" })
    clock.set(clock.now() + 29_000)
    await expect(handle.fetch(url)).rejects.toMatchObject({ code: "provider_unavailable" })
    expect(books.presented).toHaveLength(1)
    clock.set(clock.now() + 1_000)
    expect((await handle.fetch(url)).status).toBe(200)
  })

  verifies(
    "connection.only-the-provider-ends-it",
    "needs its owner once the provider says that the grant is over, on every node",
    async () => {
      const { vault, another, connected, clock, books, stored, trailOf } = setUp()
      const { id } = await connected({ lifeMs: 1_000 })
      clock.set(clock.now() + hour)
      books.script.push(() => dead)
      await expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
      await expect((await another().use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
      expect(await stored(id)).toMatchObject({ status: "needs_reauth", reason: { code: "grant_ended" } })
      expect((await trailOf(id)).map(({ kind }) => kind)).toEqual(["connected", "reauth_needed"])
      expect(books.presented).toHaveLength(1)
    },
  )

  it("ends as expired when nothing can refresh it", async () => {
    const { vault, connected, clock, books, stored } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    books.script.push(() => ({ kind: "nothing" }))
    await expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
    expect(await stored(id)).toMatchObject({ status: "needs_reauth", reason: { code: "expired" } })
  })
})

describe("a lease", () => {
  verifies(
    "connection.lease-is-taken-over",
    "that a dead process left is taken over when it expires, and not before",
    async () => {
      const { vault, another, connected, clock, books } = setUp()
      const { id } = await connected({ lifeMs: 1_000 })
      clock.set(clock.now() + hour)
      const never = gate<ProviderRefreshResult>()
      books.script.push(() => never.promise)
      void (await vault.use(id)).fetch(url)
      await clock.advance(0)
      const survivor = (await another().use(id)).fetch(url)
      await clock.advance(29_000)
      expect(books.presented).toHaveLength(1)
      await clock.advance(2_000)
      expect((await survivor).status).toBe(200)
      expect(books.presented).toHaveLength(2)
    },
  )

  it.each([
    ["ahead", 4 * 60_000],
    ["behind", -4 * 60_000],
  ])("is respected by a node whose clock is four minutes %s", async (_which, skewMs) => {
    const { vault, another, connected, clock, books } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const answer = gate<ProviderRefreshResult>()
    books.script.push(() => answer.promise)
    const first = (await vault.use(id)).fetch(url)
    await clock.advance(0)
    const skewed = { ...clock, now: () => clock.now() + skewMs }
    const second = (await another({ runtime: skewed }).use(id)).fetch(url)
    await clock.advance(20_000)
    expect(books.presented).toHaveLength(1)
    answer.resolve(books.rotate({ name: "first" }))
    await clock.advance(0)
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    expect(books.presented).toHaveLength(1)
  })

  it("that expired long ago is taken over immediately", async () => {
    const { vault, another, connected, clock, books } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    books.script.push(() => gate<ProviderRefreshResult>().promise)
    void (await vault.use(id)).fetch(url)
    await clock.advance(0)
    clock.set(clock.now() + hour)
    expect((await (await another().use(id)).fetch(url)).status).toBe(200)
    expect(books.presented).toHaveLength(2)
  })

  verifies("connection.lease-is-taken-over", "that was taken over refuses a late write", async () => {
    const { vault, another, connected, clock, books, stored } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const late = gate<ProviderRefreshResult>()
    books.script.push(() => late.promise)
    const first = (await vault.use(id)).fetch(url)
    await clock.advance(0)
    const second = (await another().use(id)).fetch(url)
    await clock.advance(31_000)
    expect((await second).status).toBe(200)
    const { sealed } = await stored(id)
    late.resolve(books.rotate({ name: "late", refresh_token: "x" }))
    expect((await first).status).toBe(200)
    expect((await stored(id)).sealed).toEqual(sealed)
  })

  it("whose refresh failed on one node is not retried by a node that waited for it", async () => {
    const { vault, another, connected, clock, books } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const answer = gate<ProviderRefreshResult>()
    books.script.push(
      () => answer.promise,
      () => unknown,
    )
    const refused = [vault, another()].map(async (node) => (await node.use(id)).fetch(url))
    const all = Promise.allSettled(refused)
    await clock.advance(0)
    answer.resolve(unknown)
    await clock.advance(1_000)
    expect((await all).map((one) => one.status === "rejected" && one.reason.code)).toEqual([
      "provider_unavailable",
      "provider_unavailable",
    ])
    expect(books.presented).toHaveLength(2)
  })

  it("does not outlast a disconnection: tokens that arrive afterwards are revoked", async () => {
    const { vault, connected, clock, books, stored } = setUp()
    const { id, connectedBy } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const answer = gate<ProviderRefreshResult>()
    books.script.push(() => answer.promise)
    const call = expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
    await clock.advance(0)
    await vault.disconnect(id, { by: connectedBy })
    answer.resolve(books.rotate({ name: "first" }))
    await call
    await clock.advance(0)
    expect(await stored(id)).toMatchObject({ status: "revoked", hasRefreshToken: false })
    expect((await stored(id)).sealed).toBeUndefined()
    expect(books.revoked).toEqual(["first-access-0", "first-access-1"])
  })

  it("does not undo a consent given in the meantime, even when the provider ended the old grant", async () => {
    const { vault, connected, clock, books, stored, parts } = setUp()
    const { id, connectedBy } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const answer = gate<ProviderRefreshResult>()
    books.script.push(() => answer.promise)
    const call = (await vault.use(id)).fetch(url)
    await clock.advance(0)
    const fields = { name: "new", access_token: "new-access", refresh_token: "new-refresh" }
    const credentials = { fields, scopes: ["files", "mail"], issuedAt: clock.now(), expiresAt: clock.now() + hour }
    const pending = await storeGrant(parts, { owner: need.owner, provider: drive.id, credentials, by: connectedBy })
    await mergeInto(parts, id, pending.id, { by: connectedBy })
    answer.resolve(dead)
    expect((await call).status).toBe(200)
    expect(await stored(id)).toMatchObject({ status: "active", scopes: ["files", "mail"] })
  })
})

describe("new tokens", () => {
  it("survive a database that is away while they come back", async () => {
    const { another, connected, clock, books, storage, stored } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    let failures = 3
    const away = new HoldpointError("store_unavailable", "The database is away.")
    const failing = overriding(storage, connectionKind, ({ replace }) => ({
      replace: (next, entry) =>
        entry?.kind === "refreshed" && failures-- > 0 ? Promise.reject(away) : replace(next, entry),
    }))
    const call = (await another({ storage: failing }).use(id)).fetch(url)
    await clock.advance(1_000)
    expect((await call).status).toBe(200)
    expect(books.presented).toHaveLength(1)
    expect((await stored(id)).lease).toBeUndefined()
  })

  it("that come back while the vault closes are kept", async () => {
    const { vault, connected, clock, books, stored } = setUp()
    const { id } = await connected({ lifeMs: 1_000 })
    clock.set(clock.now() + hour)
    const answer = gate<ProviderRefreshResult>()
    books.script.push(() => answer.promise)
    const call = (await vault.use(id)).fetch(url).catch(() => {})
    await clock.advance(0)
    const closed = vault.close()
    answer.resolve(books.rotate({ name: "first" }))
    await closed
    expect(await stored(id)).toMatchObject({ status: "active", expiresAt: clock.now() + hour })
    await call
  })
})

describe("a token that has not expired yet", () => {
  it("is refreshed before it expires", async () => {
    const { vault, connected, clock, calls } = setUp()
    const { id } = await connected()
    const handle = await vault.use(id)
    await handle.fetch(url)
    clock.set(clock.now() + hour - 5 * 60_000)
    await handle.fetch(url)
    expect(calls.map(({ authorization }) => authorization)).toEqual(["Bearer first-access-0", "Bearer first-access-1"])
  })

  it("continues to be used while the provider cannot be reached", async () => {
    const { vault, connected, clock, books, calls } = setUp()
    const { id } = await connected()
    clock.set(clock.now() + hour - 5 * 60_000)
    books.script.push(
      () => unknown,
      () => unknown,
    )
    const handle = await vault.use(id)
    for (let call = 0; call < 3; call++) expect((await handle.fetch(url)).status).toBe(200)
    expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer first-access-0"]))
    expect(books.presented).toHaveLength(2)
  })

  it("is not used when its connection was ended during a failed refresh", async () => {
    const { vault, another, connected, clock, books, calls } = setUp()
    const { id, connectedBy } = await connected()
    const elsewhere = await another().use(id)
    await elsewhere.credentials()
    clock.set(clock.now() + hour - 30_000)
    const answer = gate<ProviderRefreshResult>()
    books.script.push(
      () => answer.promise,
      () => unknown,
    )
    const call = expect(elsewhere.fetch(url)).rejects.toMatchObject({ code: "connection_revoked" })
    await clock.advance(0)
    await vault.disconnect(id, { by: connectedBy })
    await clock.advance(0)
    answer.resolve(unknown)
    await call
    expect(calls).toEqual([])
  })

  it("is not sent shortly before it expires to a provider that penalizes expired tokens", async () => {
    const delicate = { ...drive, quirks: { neverPresentExpired: true } }
    const { vault, connected, clock, books, calls } = setUp({ providers: [delicate] })
    const { id } = await connected()
    clock.set(clock.now() + hour - 30_000)
    books.script.push(
      () => unknown,
      () => unknown,
    )
    await expect((await vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "provider_unavailable" })
    expect(calls).toEqual([])
  })

  it("is refreshed on each node at another time, a tenth to a fifth of its lifetime before it expires", () => {
    const life = { issuedAt: 0, expiresAt: 10 * hour }
    const times = Array.from({ length: 200 }, (_, node) => refreshTimeOf(life, `node ${node}`, 60_000))
    expect(Math.min(...times)).toBeGreaterThanOrEqual(8 * hour)
    expect(Math.max(...times)).toBeLessThanOrEqual(9 * hour)
    expect(new Set(times).size).toBeGreaterThan(190)
    expect(refreshTimeOf({ issuedAt: 0, expiresAt: 300_000 }, "a", 60_000)).toBe(240_000)
    expect(refreshTimeOf({ issuedAt: 0, expiresAt: 10_000 }, "a", 60_000)).toBe(5_000)
    expect(refreshTimeOf({ issuedAt: 0 }, "a", 60_000)).toBe(Number.POSITIVE_INFINITY)
  })
})
