// Arguments that do not fit are refused in words that a model can act on, before anybody is asked and anything is sent.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkArguments } from "../src/arguments.ts"
import type { Tool } from "../src/tool.ts"
import { table } from "../src/tools/table.ts"
import { toolOf } from "./fits.ts"
import { type House, openHouse, textIn } from "./house.ts"

const wordsOf = async (name: string, given: unknown): Promise<string> =>
  checkArguments(toolOf(table, name), given).then(
    () => "",
    (error: Error) => error.message,
  )

describe("arguments", () => {
  it.each<[string, string, unknown, RegExp]>([
    ["of another name", "nc_notes_get_note", { noteid: 5 }, /no argument “noteid”.*Did you mean “note_id”\?/],
    ["of a name like no other", "nc_notes_get_note", { zzz: 5 }, /no argument “zzz”.*It takes: note_id/],
    ["for a tool that takes none", "nc_calendar_list_calendars", { x: 1 }, /It takes: /],
    ["of another type", "nc_notes_get_note", { note_id: "five" }, /note_id/],
    ["that are missing", "nc_notes_get_note", {}, /note_id/],
    ["out of range", "nc_notes_list_notes", { limit: 0 }, /limit/],
    ["that are none of the choices", "nc_talk_create_conversation", { kind: "choir" }, /kind/],
    ["that are no object", "nc_notes_list_notes", "all", /./],
    ["that are a list", "nc_notes_list_notes", [1], /./],
  ])("%s are told so", async (_, name, given, words) => {
    const said = await wordsOf(name, given)
    expect(said).toMatch(/^Calling nc_\w+ failed/)
    expect(said).toMatch(words)
    expect(said).not.toMatch(/undefined|\[object |\.\./)
  })

  it("may be left out where none is needed", async () => {
    expect(await wordsOf("nc_notes_list_notes", undefined)).toBe("")
  })

  it("of no tool can be called as something that every object has", async () => {
    expect(await wordsOf("nc_notes_get_note", JSON.parse('{"__proto__":1,"note_id":1}'))).toMatch(/no argument/)
    expect(await wordsOf("nc_notes_get_note", { constructor: 1, note_id: 1 })).toMatch(/no argument/)
  })

  it("are checked for every tool: one that nobody knows is refused by all", async () => {
    const accepted: Tool[] = []
    for (const tool of table) if ((await wordsOf(tool.name, { no_such_argument: 1 })) === "") accepted.push(tool)
    expect(accepted).toEqual([])
  })
})

describe("through a client", () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.close())

  it("wrong arguments are an error of the tool, which asks nobody and sends nothing", async () => {
    house.standIn.forget()
    const refused = await house.call("nc_notes_get_note", { noteid: 5 })
    expect(refused.isError).toBe(true)
    expect(textIn(refused)).toContain("Did you mean “note_id”?")
    expect(house.prompts).toEqual([])
    expect(house.standIn.requests).toEqual([])
  })

  it("a tool of another name is an error of the protocol, with the nearest one", async () => {
    await expect(house.call("nc_notes_list_note")).rejects.toThrow(/Did you mean nc_notes_list_notes\?/)
    await expect(house.call("make_coffee")).rejects.toThrow(/There is no tool make_coffee\./)
  })

  it("cursors that were never given out say how to begin anew", async () => {
    for (const name of ["nc_notes_list_notes", "nc_talk_get_messages"]) {
      const input = name === "nc_talk_get_messages" ? { token: "dsyrd5bs" } : {}
      const refused = await house.call(name, { ...input, cursor: "made-up" })
      expect(textIn(refused)).toMatch(/cursor.*Leave `cursor` out/)
    }
  })
})
