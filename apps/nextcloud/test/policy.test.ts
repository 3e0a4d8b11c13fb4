// Whether a person is asked before a loss: by the tool's default, the configuration, and the person's own choice.

import { notesOf } from "@holdpoint/nextcloud-stand-in"
import { createMemoryStorage, systemRuntime } from "@holdpoint/sdk"
import { createChoices } from "@holdpoint/sdk/identity"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { choiceName, createPolicies, toChoiceGroup, usualPolicy } from "../src/policy.ts"
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

describe("what holds", () => {
  it.each<[string, Readonly<Record<string, Policy>>, Policy]>([
    ["what the tool says, when nothing is configured", {}, tool.confirm?.policy ?? "never"],
    ["what is said of all", { "*": "once" }, "once"],
    ["what is said of the toolset before that", { "*": "once", notes: "always" }, "always"],
    ["what is said of the tool before both", { "*": "once", notes: "always", nc_notes_delete_note: "never" }, "never"],
    ["nothing that is said of others", { files: "never", nc_notes_get_note: "never" }, tool.confirm?.policy ?? "never"],
  ])("is %s", async (_, configured, expected) => {
    expect(await opened(configured).policies.of(tool, alice)).toBe(expected)
    expect(usualPolicy(configured, tool)).toBe(expected)
  })

  it("is what the person chose, for a tool before all of them, whatever is configured", async () => {
    const { policies, choices } = opened({ nc_notes_delete_note: "never", "*": "always" })
    await choices.set(alice, choiceName({ name: "*" }), "once")
    expect(await policies.of(tool, alice)).toBe("once")
    await choices.set(alice, choiceName(tool), "always")
    expect(await policies.of(tool, alice)).toBe("always")
    expect(await policies.of(other, alice)).toBe("once")
    expect(await policies.of(tool, bob), "another person's choice").toBe("never")
    expect(await policies.of(tool, undefined)).toBe("never")
  })

  it("is never a value that could not have been chosen", async () => {
    const { policies, choices } = opened()
    await choices.set(alice, choiceName(tool), "sometimes")
    expect(await policies.of(tool, alice)).toBe(tool.confirm?.policy)
  })

  it("is not to ask about tools that take nothing away", async () => {
    expect(await opened({ "*": "always" }).policies.of(reading, alice)).toBe("never")
  })

  it("is never, after a yes, where once is enough: for this person and this tool", async () => {
    const { policies, choices } = opened({ "*": "once" })
    await policies.agreed(tool, alice)
    expect(await policies.of(tool, alice)).toBe("never")
    expect(await policies.of(other, alice)).toBe("once")
    expect(await policies.of(tool, bob)).toBe("once")
    await choices.set(alice, choiceName(tool), "always")
    expect(await policies.of(tool, alice)).toBe("always")
  })

  it("is once each time for somebody who is not known", async () => {
    const { policies } = opened({ "*": "once" })
    await policies.agreed(tool, undefined)
    expect(await policies.of(tool, undefined)).toBe("once")
  })
})

describe("what people can choose", () => {
  it("is every tool that asks, with what is usual, and all of them at once", () => {
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

  it("a no leaves everything as it is, and is not remembered", async () => {
    answer = async (prompt, here) => (prompt.url === undefined ? { action: "decline" } : agree(prompt, here))
    const { id } = newNote()
    const { text, asked } = await remove(id)
    expect(text).toContain("said no")
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain("“Milk”")
    expect(asked[0], "names, never an id").not.toContain(String(id))
    expect(isThere(id)).toBe(true)
  })

  it("a form that was sent without a yes is a no", async () => {
    answer = async (prompt, here) =>
      prompt.url === undefined ? { action: "accept", content: { confirmed: false } } : agree(prompt, here)
    const { id } = newNote()
    await remove(id)
    expect(isThere(id)).toBe(true)
  })

  it("exactly what was shown is removed: what has changed since is not, although the access was lost in between", async () => {
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

  it("a yes is enough for the next ones, until the person wants to be asked each time", async () => {
    const ids = Array.from({ length: 4 }, () => newNote().id)
    const asked = async (index: number): Promise<number> => (await remove(ids[index] ?? 0)).asked.length
    expect([await asked(0), await asked(1)]).toEqual([1, 0])
    await house.choices.set(alice, choiceName(tool), "always")
    expect([await asked(2), await asked(3)]).toEqual([1, 1])
    expect(ids.filter(isThere)).toEqual([])
  })

  it("nobody is asked who does not want to be", async () => {
    await house.choices.set(alice, choiceName(tool), "never")
    const { id } = newNote()
    expect((await remove(id)).asked).toHaveLength(0)
    expect(isThere(id)).toBe(false)
  })
})
