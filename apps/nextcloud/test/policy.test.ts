// Whether a person is asked before a loss: by the tool's default, the configuration, and the person's own choice.

import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { notesOf } from "@holdpoint/nextcloud-stand-in"
import { createChoices } from "@holdpoint/server/identity"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { choiceName, createPolicies, defaultPolicy, toChoiceGroup } from "../src/policy.ts"
import type { Policy } from "../src/tool.ts"
import { table } from "../src/tools/table.ts"
import { toolOf } from "./fits.ts"
import { agree, alice, type House, openHouse, type Prompt, textIn } from "./house.ts"

const tool = toolOf(table, "nc_notes_delete_note")
const other = toolOf(table, "nc_files_delete_resource")
const reading = toolOf(table, "nc_notes_list_notes")
const bob = { ...alice, subject: "bob" }

const opened = (configured: Readonly<Record<string, Policy>> = {}) => {
  const choices = createChoices(createMemoryStorage(), systemRuntime)
  return { choices, policies: createPolicies(configured, choices) }
}

describe("the policy for a tool", () => {
  it.each<[string, Readonly<Record<string, Policy>>, Policy]>([
    ["the tool's own when nothing is configured", {}, tool.confirm?.policy ?? "never"],
    ["the one configured for all tools", { "*": "once" }, "once"],
    ["the one for its toolset before the one for all", { "*": "once", notes: "always" }, "always"],
    ["the one for the tool before both", { "*": "once", notes: "always", nc_notes_delete_note: "never" }, "never"],
    ["not the one for other tools", { files: "never", nc_notes_get_note: "never" }, tool.confirm?.policy ?? "never"],
  ])("is %s", async (_, configured, expected) => {
    expect(await opened(configured).policies.of(tool, alice)).toBe(expected)
    expect(defaultPolicy(configured, tool)).toBe(expected)
  })

  it("is the person's choice, for the tool before all tools, whatever is configured", async () => {
    const { policies, choices } = opened({ nc_notes_delete_note: "never", "*": "always" })
    await choices.set(alice, choiceName({ name: "*" }), "once")
    expect(await policies.of(tool, alice)).toBe("once")
    await choices.set(alice, choiceName(tool), "always")
    expect(await policies.of(tool, alice)).toBe("always")
    expect(await policies.of(other, alice)).toBe("once")
    expect(await policies.of(tool, bob), "another person's choice").toBe("never")
    expect(await policies.of(tool, undefined)).toBe("never")
  })

  it("ignores a stored choice that is not one of the offered options", async () => {
    const { policies, choices } = opened()
    await choices.set(alice, choiceName(tool), "sometimes")
    expect(await policies.of(tool, alice)).toBe(tool.confirm?.policy)
  })

  it("does not ask about tools that remove nothing", async () => {
    expect(await opened({ "*": "always" }).policies.of(reading, alice)).toBe("never")
  })

  it("changes from “once” to “never” after a Yes, for this person and this tool", async () => {
    const { policies, choices } = opened({ "*": "once" })
    await policies.agreed(tool, alice)
    expect(await policies.of(tool, alice)).toBe("never")
    expect(await policies.of(other, alice)).toBe("once")
    expect(await policies.of(tool, bob)).toBe("once")
    await choices.set(alice, choiceName(tool), "always")
    expect(await policies.of(tool, alice)).toBe("always")
  })

  it("stays “once” after a Yes from an unknown person", async () => {
    const { policies } = opened({ "*": "once" })
    await policies.agreed(tool, undefined)
    expect(await policies.of(tool, undefined)).toBe("once")
  })
})

describe("the policies that a person can choose", () => {
  it("cover every tool that asks, with its default, and all tools together", () => {
    const { items, options } = toChoiceGroup(table, { notes: "once" })
    const asking = table.filter(({ confirm }) => confirm !== undefined)
    expect(items.map(({ name }) => name)).toEqual([{ name: "*" }, ...asking].map(choiceName))
    expect(items.find(({ name }) => name === choiceName(tool))).toMatchObject({ title: tool.title, usual: "once" })
    expect(options.map(({ value }) => value)).toEqual(["always", "once", "never"])
  })
})

describe("through a client", () => {
  let house: House
  let answer: (prompt: Prompt, house: House) => ReturnType<typeof agree> = agree
  beforeAll(async () => {
    house = await openHouse({
      confirm: { nc_notes_delete_note: "once" },
      answer: (prompt, here) => answer(prompt, here),
    })
    await house.call("nc_notes_list_notes")
  })
  beforeEach(() => {
    answer = agree
  })
  afterAll(() => house.close())

  const newNote = () => notesOf(house.standIn.world).create("alice", { title: "Milk", content: "and eggs" })
  const isThere = (id: number) => notesOf(house.standIn.world).get("alice", id) !== undefined

  async function remove(id: number) {
    const before = house.prompts.length
    const result = await house.call("nc_notes_delete_note", { note_id: id })
    const asked = house.prompts.slice(before).filter(({ url }) => url === undefined)
    return { result, text: textIn(result), asked: asked.map(({ message }) => message) }
  }

  it("a No changes nothing, and is not remembered", async () => {
    answer = async (prompt, here) => (prompt.url === undefined ? { action: "decline" } : agree(prompt, here))
    const { id } = newNote()
    const { text, asked } = await remove(id)
    expect(text).toContain("said no")
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("“Milk”")
    expect(asked[0], "names, never an id").not.toContain(String(id))
    expect((await remove(id)).asked, "the next call asks again").toHaveLength(1)
    expect(isThere(id)).toBe(true)
  })

  it("a form that is submitted without a Yes counts as a No", async () => {
    answer = async (prompt, here) =>
      prompt.url === undefined ? { action: "accept", content: { confirmed: false } } : agree(prompt, here)
    const { id } = newNote()
    await remove(id)
    expect(isThere(id)).toBe(true)
  })

  it("only the shown version is removed, even when access was lost after the answer", async () => {
    const { id } = newNote()
    answer = async (prompt, here) => {
      if (prompt.url === undefined) here.standIn.world.tokens.clear()
      else notesOf(here.standIn.world).update("alice", id, { content: "and bread" })
      return agree(prompt, here)
    }
    const { result, text, asked } = await remove(id)
    expect(result.isError, text).toBe(true)
    expect(text).toContain("has changed since it was read")
    expect(asked).toHaveLength(1)
    expect(isThere(id)).toBe(true)
  })

  it("one Yes covers the next calls, until the person chooses to be asked each time", async () => {
    const ids = Array.from({ length: 4 }, () => newNote().id)
    const asked = async (index: number): Promise<number> => (await remove(ids[index] ?? 0)).asked.length
    expect([await asked(0), await asked(1)]).toEqual([1, 0])
    await house.choices.set(alice, choiceName(tool), "always")
    expect([await asked(2), await asked(3)]).toEqual([1, 1])
    expect(ids.filter(isThere)).toEqual([])
  })

  it("a person who chose never to be asked is not asked", async () => {
    await house.choices.set(alice, choiceName(tool), "never")
    const { id } = newNote()
    expect((await remove(id)).asked).toHaveLength(0)
    expect(isThere(id)).toBe(false)
  })
})
