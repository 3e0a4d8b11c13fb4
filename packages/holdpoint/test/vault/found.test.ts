// Finding the same connection again: quicker than the first time, and never less true.

import { describe, expect, it } from "vitest"
import type { Storage } from "../../src/ports/storage.ts"
import { connectionKind } from "../../src/vault/records.ts"
import { alice } from "../fixtures.ts"
import { need, setUp } from "./scripted.ts"

/** How often all of an owner's connections were looked through. */
function countLists(storage: Storage): () => number {
  const connections = storage.records(connectionKind)
  let lists = 0
  const list = connections.list.bind(connections)
  Object.assign(connections, {
    list(query: Parameters<typeof list>[0]) {
      lists++
      return list(query)
    },
  })
  return () => lists
}

describe("a connection that was found before", () => {
  it("is read by its id, without looking through all of them", async () => {
    const { vault, connected, storage } = setUp()
    const { id } = await connected({ name: "first" })
    const lists = countLists(storage)
    for (let time = 0; time < 5; time++) expect((await vault.find(need))?.id).toBe(id)
    expect(lists()).toBe(1)
  })

  it("gives way to one that was connected since", async () => {
    const { vault, connected, clock } = setUp()
    await connected({ name: "first" })
    await vault.find(need)
    clock.set(clock.now() + 1_000)
    const second = await connected({ name: "second" })
    await clock.advance(0)
    expect((await vault.find(need))?.id).toBe(second.id)
  })

  it("is not found once it was disconnected, or is simply gone", async () => {
    const { vault, connected, storage } = setUp()
    const first = await connected({ name: "first" })
    await vault.find(need)
    await vault.disconnect(first.id, { by: alice })
    expect(await vault.find(need)).toBeUndefined()
    const second = await connected({ name: "second" })
    expect((await vault.find(need))?.id).toBe(second.id)
    const kept = await storage.records(connectionKind).get(second.id)
    if (kept !== undefined) await storage.records(connectionKind).remove(kept)
    expect(await vault.find(need)).toBeUndefined()
  })

  it("is not enough for a need that is wider, nor for another account", async () => {
    const { vault, connected } = setUp()
    await connected({ name: "first" })
    expect(await vault.find(need)).toBeDefined()
    expect(await vault.find({ ...need, scopes: ["everything"] })).toBeUndefined()
    expect(await vault.find({ ...need, account: "second" })).toBeUndefined()
  })
})
