// Finding the same connection again: without a query, and never after this process was notified of a change.

import type { LoginFlowProvider } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import { createCountingStorage } from "@holdpoint/testkit/counting-storage"
import { alice } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { narrow } from "../../src/vault/narrow.ts"
import { connectionKind } from "../../src/vault/records.ts"
import { defaultVaultTimes } from "../../src/vault/times.ts"
import { drive, gate, need, setUp } from "./scripted.ts"

const api = "https://api.drive.example/files"

/** The first use reads the connection, opens it, and notes the time of use. */
async function setUpUsed() {
  const storage = createCountingStorage()
  const setup = setUp({ storage })
  const connection = await setup.connected({ name: "first" })
  await setup.clock.advance(0)
  const handle = await setup.vault.find(need)
  await handle?.fetch(api)
  await setup.clock.advance(0)
  storage.queries()
  return { ...setup, storage, connection }
}

describe("a connection that was found before", () => {
  verifies("connection.no-query-when-connected", "is found and used again without a query", async () => {
    const { vault, storage, calls, connection } = await setUpUsed()
    for (let time = 0; time < 5; time++) {
      const handle = await vault.find(need)
      expect(handle?.id).toBe(connection.id)
      expect((await handle?.fetch(api))?.status).toBe(200)
      expect((await handle?.credentials())?.fields.access_token).toBe("first-access-0")
      expect((await vault.connect(need)).id).toBe(connection.id)
    }
    expect(calls).toHaveLength(6)
    expect(storage.queries()).toEqual([])
  })

  it("needs queries in a process that has not used it yet", async () => {
    const { another, storage } = await setUpUsed()
    const second = another()
    await (await second.find(need))?.fetch(api)
    expect(storage.queries().filter((name) => name.startsWith("connection."))).not.toEqual([])
    await second.close()
  })

  it("is found without a query for each of several accounts and scopes", async () => {
    const { vault, connected, clock, storage } = await setUpUsed()
    await connected({ name: "second" })
    await clock.advance(0)
    const needs = [need, { ...need, account: "first" }, { ...need, account: "second" }, { ...need, scopes: [] }]
    for (const one of needs) await vault.find(one)
    storage.queries()
    for (const one of needs) expect((await vault.find(one))?.id).toBeDefined()
    expect(storage.queries()).toEqual([])
  })

  it("is read again when its trust period is over, in case a notification was lost", async () => {
    const { vault, clock, storage, connection } = await setUpUsed()
    const kept = await storage.records(connectionKind).get(connection.id)
    if (kept !== undefined) await storage.records(connectionKind).remove(kept)
    clock.set(clock.now() + defaultVaultTimes.trustMs)
    expect(await vault.find(need)).toBeUndefined()
  })

  it("is read again after the clock was set back", async () => {
    const { vault, clock, storage } = await setUpUsed()
    clock.set(clock.now() - 1_000)
    await vault.find(need)
    expect(storage.queries()).toContain("connection.list")
  })

  it("gives way to a newer connection", async () => {
    const { vault, connected, clock } = setUp()
    await connected({ name: "first" })
    await vault.find(need)
    clock.set(clock.now() + 1_000)
    const second = await connected({ name: "second" })
    await clock.advance(0)
    expect((await vault.find(need))?.id).toBe(second.id)
  })

  it("is not enough for a need that is wider, nor for another account", async () => {
    const { vault, connected } = setUp()
    await connected({ name: "first" })
    expect(await vault.find(need)).toBeDefined()
    expect(await vault.find({ ...need, scopes: ["everything"] })).toBeUndefined()
    expect(await vault.find({ ...need, account: "second" })).toBeUndefined()
  })
})

describe("a connection that ended since it was found", () => {
  it("disappears immediately in the process that disconnected it", async () => {
    const { vault, connection, connected } = await setUpUsed()
    await vault.disconnect(connection.id, { by: alice })
    expect(await vault.find(need)).toBeUndefined()
    const second = await connected({ name: "second" })
    expect((await vault.find(need))?.id).toBe(second.id)
  })

  it("is not found once this process is notified that another process disconnected it", async () => {
    const { vault, another, connection, clock } = await setUpUsed()
    const second = another()
    await second.disconnect(connection.id, { by: alice })
    await clock.advance(0)
    expect(await vault.find(need)).toBeUndefined()
    await second.close()
  })

  it("is not remembered by a lookup that was under way when it was disconnected", async () => {
    const { vault, another, connected, clock, storage, stored } = setUp()
    const { id } = await connected({ name: "first" })
    await clock.advance(0)
    const held = gate<void>()
    const listed = gate<void>()
    const slow = another({
      storage: overriding(storage, connectionKind, ({ list }) => ({
        async list(query) {
          const connections = await list(query)
          listed.resolve()
          await held.promise
          return connections
        },
      })),
    })
    const early = slow.find(need)
    await listed.promise
    await vault.disconnect(id, { by: alice })
    await clock.advance(0)
    held.resolve()
    await early
    expect((await stored(id)).status).toBe("revoked")
    expect(await slow.find(need)).toBeUndefined()
    await slow.close()
  })

  it("disappears immediately when the provider has refused it", async () => {
    const { vault, books, connection, stored } = await setUpUsed()
    books.refused.add("first-access-0")
    books.script.push(() => ({ kind: "dead", reason: { code: "grant_ended" } }))
    const handle = await vault.find(need, { whenLost: "throw" })
    await expect(handle?.fetch(api)).rejects.toMatchObject({ code: "connection_needed" })
    expect((await stored(connection.id)).status).toBe("needs_reauth")
    expect(await vault.find(need)).toBeUndefined()
  })

  it("is not found for scopes that were removed here, or elsewhere once this process is notified", async () => {
    const cloud: LoginFlowProvider = { ...base, kind: "login_flow", server: "https://api.drive.example" }
    const { vault, connected, clock, parts } = setUp({ providers: [cloud] })
    const { id } = await connected({ name: "first" })
    await clock.advance(0)
    expect(await vault.find(need)).toBeDefined()
    await vault.narrow(id, { scopes: ["files"], by: alice })
    expect(await vault.find(need)).toBeUndefined()

    const bob = { ...need, owner: toOwner({ ...alice, subject: "bob" }) }
    const theirs = await connected({ name: "second", owner: bob.owner })
    await clock.advance(0)
    expect(await vault.find(bob)).toBeDefined()
    await narrow(parts, theirs.id, { scopes: ["files"], by: alice })
    await clock.advance(0)
    expect(await vault.find(bob)).toBeUndefined()
  })
})

const { kind: _kind, discovery: _d, client: _c, pkce: _p, redirect: _r, identity: _i, revocation: _v, ...base } = drive
