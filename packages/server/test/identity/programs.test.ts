// Programs with keys: the key is given out once and kept as a hash, its last use is written at most once a minute, and a
// removed program is unknown at once.

import { createMemoryStorage } from "@holdpoint/hub"
import type { AskRule } from "@holdpoint/server/identity"
import { createTestClock } from "@holdpoint/testing"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { describe, expect, it } from "vitest"
import { createPrograms, shownKeyOf } from "../../src/identity/index.ts"
import { programKind } from "../../src/identity/programs/records.ts"
import { dump } from "./setup.ts"

const anyone: AskRule = { to: "anyone", modes: ["form", "url"] }

async function setUp() {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  const programs = createPrograms({ storage, runtime: clock })
  const added = await programs.add({ tenant: "acme", name: "deployer", may: anyone, madeBy: alice })
  noteCanary("program_key", added.key)
  return { storage, clock, programs, ...added }
}

describe("a program", () => {
  it("is found by its key and by nothing else", async () => {
    const { programs, key, program } = await setUp()
    expect((await programs.find(key))?.id).toBe(program.id)
    const other = await programs.add({ tenant: "acme", name: "other", may: anyone })
    const mixed = `${key.slice(0, 20)}${other.key.slice(20)}`
    for (const wrong of ["", "hp_", program.id, key.slice(0, -1), `${key}x`, ` ${key}`, mixed, program.keyHash])
      expect(await programs.find(wrong)).toBeUndefined()
  })

  it("leaves nothing in the database from which its key could be derived", async () => {
    const { storage, key } = await setUp()
    const programs = await storage.records(programKind).list({ tenant: "acme", limit: 10 })
    const kept = JSON.stringify([await dump(storage), programs])
    expect(kept).not.toContain(key.slice(20))
    expect(kept).toContain("deployer")
  })

  it("is recognised by the beginning of its key", async () => {
    const { key, program } = await setUp()
    expect(key).toMatch(/^hp_[0-9a-f]{16}_[\w-]{43}$/)
    expect(shownKeyOf(program)).toBe(`${key.slice(0, 20)}…`)
  })

  it("shows when it was last used, written at most once a minute", async () => {
    const { programs, clock, key } = await setUp()
    const used = async () => (await programs.list("acme"))[0]
    expect((await used())?.lastUsedAt).toBeUndefined()
    await programs.find(key)
    const first = await used()
    expect(first?.lastUsedAt).toBe(clock.now())
    await clock.advance(59_999)
    await programs.find(key)
    expect(await used()).toEqual(first)
    await clock.advance(1)
    await programs.find(key)
    expect((await used())?.lastUsedAt).toBe(clock.now())
  })

  it("is unknown as soon as its own tenant removes it", async () => {
    const { storage, programs, key, program } = await setUp()
    expect(await programs.remove({ id: program.id, tenant: "evil" }, bob)).toBe(false)
    const [removed] = await Promise.all([programs.remove(program, bob), programs.find(key)])
    expect(removed).toBe(true)
    expect(await programs.find(key)).toBeUndefined()
    expect(await programs.has(program)).toBe(false)
    expect(await programs.remove(program)).toBe(false)
    const trail = await storage.trail.read({ id: program.id, limit: 10 })
    expect(trail.map(({ kind, detail }) => [kind, detail.message, detail.by?.subject])).toEqual([
      ["program_added", "deployer", "alice"],
      ["program_removed", "deployer", "bob"],
    ])
  })

  it("is listed with those of its tenant, by name", async () => {
    const { programs } = await setUp()
    await programs.add({ tenant: "acme", name: "backup", may: anyone })
    await programs.add({ tenant: "evil", name: "another", may: anyone })
    expect((await programs.list("acme")).map(({ name }) => name)).toEqual(["backup", "deployer"])
  })

  it.each([
    ["", anyone, "name"],
    ["x".repeat(101), anyone, "name"],
    ["ci", { ...anyone, to: { people: [], roles: [] } }, "to"],
    ["ci", { ...anyone, modes: [] }, "modes"],
  ] as const)("is refused with the name %j and the permission %j", async (name, may, path) => {
    const { programs } = await setUp()
    const made = programs.add({ tenant: "acme", name, may })
    await expect(made).rejects.toMatchObject({ code: "invalid_config", problems: [{ path }] })
  })
})
