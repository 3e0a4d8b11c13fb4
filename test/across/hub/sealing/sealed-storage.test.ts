// A sealed storage is a storage like any other, only that answers cannot be read in its files.

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Storage } from "@holdpoint/hub"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { createSealer, rewrapAll, sealStorage, withNewKey, withoutKeys } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { sealed } from "@holdpoint/testkit/hub/sealing/sealed-engine"
import { describeStorage } from "@holdpoint/testkit/hub/stores/contract"
import { createFolder, memory } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { dataKeyKind } from "../../../../packages/hub/src/sealing/records.ts"
import {
  alice,
  completed,
  entryOf,
  formDraft,
  insert,
  record,
  withChanges,
} from "../../../../packages/testing/src/contract/samples.ts"
import { insertConnections } from "./rotation.ts"

describeStorage("sealed memory storage", sealed(memory))

const note = "canary-note-b81f"

async function answered(storage: Storage, tenant = "acme") {
  const settled = completed(await insert(storage, record({ tenant })), { note })
  expect(await storage.store.replace(settled, entryOf(settled))).toBe(true)
  return settled
}

describe("a sealed storage", () => {
  it("stores content as one sealed text, and returns it unchanged", async () => {
    const inner = createMemoryStorage()
    const storage = await sealStorage(inner, createSealer(withNewKey()))
    const { id, tenant } = await answered(storage)
    const kept = await inner.store.get(id)
    expect(kept?.content).toEqual({ $sealed: expect.stringMatching(/^hp1\.[\w-]+$/) })
    expect(await storage.store.get(id)).toEqual({ ...kept, content: { note } })
    expect(await storage.store.list({ tenant, state: "all", limit: 9 })).toEqual([{ ...kept, content: { note } }])
  })

  it("returns the content of a question that is found again by its key", async () => {
    const storage = await sealStorage(createMemoryStorage(), createSealer(withNewKey()))
    const hub = createHub({ storage, outlets: [inbox()], report: () => {} })
    onTestFinished(() => hub.close())
    const { id } = await hub.ask(formDraft({ key: "k" }))
    await hub.answer(id, { by: alice, action: "accept", content: { note } })
    expect((await hub.ask(formDraft({ key: "k" }))).content).toEqual({ note })
  })

  it("creates one key for each tenant, even if five processes race", async () => {
    const inner = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    const storages = await Promise.all(Array.from({ length: 5 }, () => sealStorage(inner, sealer)))
    const settled = await Promise.all(storages.flatMap((storage) => [answered(storage), answered(storage, "other")]))
    for (const storage of storages) {
      for (const { id } of settled) expect((await storage.store.get(id))?.content).toEqual({ note })
    }
    for (const tenant of ["acme", "other"]) {
      expect(await inner.records(dataKeyKind).list({ tenant, owner: "answers", limit: 9 })).toHaveLength(1)
    }
  })

  it("still reads content that was stored before there were keys", async () => {
    const inner = createMemoryStorage()
    const { id } = await answered(inner)
    const storage = await sealStorage(inner, createSealer(withNewKey()))
    expect((await storage.store.get(id))?.content).toEqual({ note })
  })

  it("leaves out content that cannot be opened, and reports the failure without the content", async () => {
    const inner = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    const reports: string[] = []
    const storage = await sealStorage(inner, sealer, { report: (doing, error) => reports.push(`${doing}: ${error}`) })
    const [one, two] = [await answered(storage), await answered(storage)]
    const foreign = await answered(storage, "other")
    const contents = await Promise.all([two, foreign].map(async ({ id }) => (await inner.store.get(id))?.content))
    const swapped = withChanges(one, { content: contents[0]! })
    await inner.store.replace(swapped, entryOf(swapped))
    const moved = withChanges(two, { content: contents[1]! })
    await inner.store.replace(moved, entryOf(moved))
    const listed = await storage.store.list({ tenant: "acme", state: "all", limit: 9 })
    expect(listed.map(({ content }) => content)).toEqual([undefined, undefined])
    expect(listed.map(({ status }) => status)).toEqual(["completed", "completed"])
    expect(reports).toHaveLength(2)
    expect(reports.join()).toMatch(new RegExp(`opening the answer to question (${one.id}|${two.id}).*altered or moved`))
    expect(reports.join()).not.toContain(note)
  })

  it("returns a question without content when the tenant's key is missing", async () => {
    const inner = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    const { id } = await answered(await sealStorage(inner, sealer))
    await inner.records(dataKeyKind).remove((await inner.records(dataKeyKind).get("answers/acme"))!)
    const storage = await sealStorage(inner, sealer)
    expect(await storage.store.get(id)).toMatchObject({ status: "completed" })
    expect((await storage.store.get(id))?.content).toBeUndefined()
  })

  it("opens answers after a rotation without the old key", async () => {
    const inner = createMemoryStorage()
    const old = withNewKey()
    const { id } = await answered(await sealStorage(inner, createSealer(old)))
    const rotated = withNewKey(old)
    await rewrapAll(inner, createSealer(rotated))
    const storage = await sealStorage(inner, createSealer(withoutKeys(rotated, [old.current])))
    expect((await storage.store.get(id))?.content).toEqual({ note })
  })

  it("does not open with other keys", async () => {
    const inner = createMemoryStorage()
    await sealStorage(inner, createSealer(withNewKey()))
    await expect(sealStorage(inner, createSealer(withNewKey()))).rejects.toMatchObject({ code: "wrong_key" })
  })

  verifies("seal.dump-is-worthless", "leaves no readable answer or token in a dump of the database", async () => {
    const folder = await createFolder()
    const inner = await openSqlite(join(folder, "hub.db"))
    const sealer = createSealer(withNewKey())
    const storage = await sealStorage(inner, sealer)
    const { id } = await answered(storage)
    const [connection = ""] = await insertConnections(storage, sealer, 3)
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "latin1")))
    const dump = files.join("\n")
    expect(dump).toContain(id)
    expect(dump).toContain(connection)
    expect(dump).toContain("hp1.")
    expect(dump).not.toContain("canary-")
    expect(dump).not.toContain(Buffer.from("canary-").toString("base64url").slice(0, 9))
    // The search would find it: the same answer in the same files, unsealed.
    await answered(inner)
    expect(await readFile(join(folder, "hub.db-wal"), "latin1")).toContain(note)
    await storage.close()
  })
})
