// A person's choices apply only to that person, and the last one counts.

import { createMemoryStorage } from "@holdpoint/hub"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { expect, it } from "vitest"
import { createChoices } from "../../src/identity/choices.ts"
import { preferenceKind } from "../../src/identity/records.ts"

const open = () => {
  const storage = createMemoryStorage()
  return { storage, choices: createChoices(storage, { now: () => 1_000 }) }
}

it("keeps a choice for the person who made it, under its name, until they change or clear it", async () => {
  const { choices } = open()
  expect(await choices.get(alice, "confirm delete")).toBeUndefined()
  await choices.set(alice, "confirm delete", "never")
  await choices.set(alice, "confirm delete", "always")
  await choices.set(alice, "another", "once")
  expect(await choices.get(alice, "confirm delete")).toBe("always")
  expect(await choices.get(bob, "confirm delete")).toBeUndefined()
  expect(await choices.get({ ...alice, tenant: "other" }, "confirm delete")).toBeUndefined()
  expect(await choices.get({ ...alice, issuer: "https://other.example" }, "confirm delete")).toBeUndefined()
  expect([...(await choices.all(alice))].sort()).toEqual([
    ["another", "once"],
    ["confirm delete", "always"],
  ])
  await choices.clear(alice, "confirm delete")
  expect([...(await choices.all(alice)).keys()]).toEqual(["another"])
  expect((await choices.all(bob)).size).toBe(0)
})

it("keeps one of several choices that are made at the same moment", async () => {
  const { choices } = open()
  const values = ["a", "b", "c", "d"]
  await Promise.all(values.map((value) => choices.set(alice, "which", value)))
  expect(values).toContain(await choices.get(alice, "which"))
})

it("refuses a choice that is longer than 200 characters", async () => {
  const { choices } = open()
  await expect(choices.set(alice, "which", "x".repeat(201))).rejects.toMatchObject({ code: "invalid_config" })
})

it("fails as unavailable when concurrent writers win every attempt", async () => {
  const { storage } = open()
  const busy = overriding(storage, preferenceKind, () => ({ insert: async () => false }))
  const choices = createChoices(busy, { now: () => 1_000 })
  await expect(choices.set(alice, "which", "a")).rejects.toMatchObject({ code: "store_unavailable" })
})
