// Wrong arguments are refused with advice for the model, before a person is asked and before any request is sent.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { checkArguments } from "../src/arguments.ts"
import type { Tool } from "../src/tool.ts"
import { table } from "../src/tools/table.ts"
import { toolOf } from "./fits.ts"
import { type House, openHouse, textIn } from "./house.ts"

const wordsOf = async (name: string, input: unknown): Promise<string> =>
  checkArguments(toolOf(table, name), input).then(
    () => "",
    (error: Error) => error.message,
  )

describe("arguments", () => {
  it.each<[string, string, unknown, RegExp]>([
    ["with an unknown name", "nc_notes_get_note", { noteid: 5 }, /no argument “noteid”.*Did you mean “note_id”\?/],
    ["with a name unlike any other", "nc_notes_get_note", { zzz: 5 }, /no argument “zzz”.*The arguments are: note_id/],
    ["for a tool that takes none", "nc_calendar_list_calendars", { x: 1 }, /The arguments are: /],
    ["of the wrong type", "nc_notes_get_note", { note_id: "five" }, /note_id/],
    ["that are missing", "nc_notes_get_note", {}, /note_id/],
    ["out of range", "nc_notes_list_notes", { limit: 0 }, /limit/],
    ["outside the allowed values", "nc_talk_create_conversation", { kind: "choir" }, /kind/],
    ["that are not an object", "nc_notes_list_notes", "all", /./],
    ["that are a list", "nc_notes_list_notes", [1], /./],
  ])("%s are refused with advice", async (_, name, input, words) => {
    const message = await wordsOf(name, input)
    expect(message).toMatch(/^Calling nc_\w+ failed/)
    expect(message).toMatch(words)
    expect(message).not.toMatch(/undefined|\[object |\.\./)
  })

  it.each<[string, object, object]>([
    ["nc_notes_get_note", { note_id: "680" }, { note_id: 680 }],
    ["nc_notes_list_notes", { limit: " 20 " }, { limit: 20 }],
    ["nc_calendar_create_event", { title: "A", start: "2026-11-20", all_day: "True" }, { all_day: true }],
    ["nc_calendar_create_event", { title: 2026, start: "2026-11-20" }, { title: "2026" }],
    ["nc_calendar_create_event", { title: "A", start: "2026-11-20", categories: "Work" }, { categories: ["Work"] }],
    [
      "nc_calendar_create_event",
      { title: "A", start: "2026-11-20", attendees: '[{"email":"bob@example.org"}]' },
      { attendees: [{ email: "bob@example.org" }] },
    ],
    ["nc_calendar_create_event", { title: "A", start: "2026-11-20", location: null }, { title: "A" }],
    ["nc_news_update_feed", { feed_id: "3", folder_id: null }, { feed_id: 3, folder_id: null }],
  ])("of %s are converted where their meaning is clear: %j", async (name, input, expected) => {
    expect(await checkArguments(toolOf(table, name), input)).toMatchObject(expected)
  })

  it.each<[string, unknown, string]>([
    ["nc_notes_get_note", { note_id: "five" }, "`note_id` must be a whole number, not “five”."],
    ["nc_notes_get_note", { note_id: 1.5 }, "`note_id` must be a whole number, not “1.5”."],
    ["nc_notes_get_note", { note_id: "1e3" }, "`note_id` must be a whole number, not “1e3”."],
    ["nc_notes_get_note", {}, "`note_id` must be given."],
    ["nc_notes_list_notes", { limit: 0 }, "`limit` must be at least 1, not 0."],
    ["nc_talk_create_conversation", { kind: "choir" }, "`kind` must be one of "],
    ["nc_calendar_create_event", { title: "", start: "x" }, "`title` must not be empty."],
    ["nc_calendar_create_event", { title: "A", start: "x", attendees: [{}] }, "`attendees[0].email` must be given."],
    ["nc_deck_create_board", { title: "A", color: "red" }, "`color` has the wrong form: “red”"],
  ])("of %s that are invalid cause a readable error: %j", async (name, input, words) => {
    const message = await wordsOf(name, input)
    expect(message).toContain(words)
    expect(message).toContain("Fix the arguments and call again.")
    expect(message).not.toMatch(/#\/|Instance/)
  })

  it("may be omitted when none is required", async () => {
    expect(await wordsOf("nc_notes_list_notes", undefined)).toBe("")
  })

  it("named like a member of every JavaScript object are refused", async () => {
    expect(await wordsOf("nc_notes_get_note", JSON.parse('{"__proto__":1,"note_id":1}'))).toMatch(/no argument/)
    expect(await wordsOf("nc_notes_get_note", { constructor: 1, note_id: 1 })).toMatch(/no argument/)
  })

  it("that are unknown are refused by every tool", async () => {
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

  it("wrong arguments cause a tool error, without a question or a request", async () => {
    house.standIn.forget()
    const refused = await house.call("nc_notes_get_note", { noteid: 5 })
    expect(refused.isError).toBe(true)
    expect(textIn(refused)).toContain("Did you mean “note_id”?")
    expect(house.prompts).toEqual([])
    expect(house.standIn.requests).toEqual([])
  })

  it("an unknown tool name causes a protocol error that suggests the nearest name", async () => {
    await expect(house.call("nc_notes_list_note")).rejects.toThrow(/Did you mean nc_notes_list_notes\?/)
    await expect(house.call("make_coffee")).rejects.toThrow(/There is no tool make_coffee\./)
  })

  it("a cursor that was never issued is refused with advice on how to start again", async () => {
    for (const name of ["nc_notes_list_notes", "nc_talk_get_messages"]) {
      const input = name === "nc_talk_get_messages" ? { token: "dsyrd5bs" } : {}
      const refused = await house.call(name, { ...input, cursor: "made-up" })
      expect(textIn(refused)).toMatch(/cursor.*Omit `cursor`/)
    }
  })
})
