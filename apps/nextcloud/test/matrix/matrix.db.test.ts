// Every tool through the official client, with every outcome of a call: its result, its requests, and its questions.
// The client itself checks results against the listed schema.

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Tool } from "../../src/tool.ts"
import { table } from "../../src/tools/table.ts"
import { questionOf } from "../fits.ts"
import { samples } from "../samples/all.ts"
import { argumentsFor, argumentsOf, type Column, cellOf, columns, growing, tellsOfParts } from "./cells.ts"
import { bend, cut, page, readers, refusal } from "./faults.ts"
import { type Called, openStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterEach(() => stage.tidy())
afterAll(() => stage.close())

const ordered = [...table].sort((a, b) => growing.indexOf(b.name) - growing.indexOf(a.name))

const rowsOf = (column: Column): readonly (readonly [string, Tool])[] =>
  ordered.filter((tool) => !("impossible" in cellOf(tool, column))).map((tool) => [tool.name, tool])

const isForced = (tool: Tool, column: Column): boolean => {
  const cell = cellOf(tool, column)
  return "by" in cell && cell.by === "forced"
}

/** Expects an error text that names the problem and contains no raw values such as “undefined”. */
function expectWords({ result, text }: Pick<Called, "result" | "text">, words: RegExp): void {
  expect(text).toMatch(words)
  expect(text).not.toMatch(/undefined|\[object |NaN/)
  expect(result.isError).toBe(true)
}

describe("the matrix", () => {
  it("has a sample for every tool, and for nothing else", () => {
    expect(Object.keys(samples).sort()).toEqual(table.map(({ name }) => name).sort())
  })

  it("has a reason for each impossible cell", () => {
    const cells = table.flatMap((tool) => columns.map((column) => cellOf(tool, column)))
    const impossible = cells.flatMap((cell) => ("impossible" in cell ? [cell.impossible] : []))
    for (const reason of impossible) expect(reason).toMatch(/\w+ \w+/)
    expect(cells.length - impossible.length).toBeGreaterThan(1_300)
  })
})

describe("success", () => {
  it.each(rowsOf("success"))("%s", async (name, tool) => {
    const input = await argumentsOf(name, stage.world)
    const question = await questionOf(tool, input, stage.world.alice)
    const { result, text, losses, consents, requests } = await stage.call(tool, input)
    expect(result.isError, text).toBeFalsy()
    expect(result.content?.[0]).toEqual({ type: "text", text: JSON.stringify(result.structuredContent) })
    expect(text).not.toMatch(/undefined|\[object |NaN/)
    expect(consents).toEqual([])
    expect(losses).toHaveLength(question.isAsked ? 1 : 0)
    expect(requests, requests.join("\n")).toHaveLength(question.requests + tool.requests)
  })
})

describe.each([
  ["not found", 404, /not found|does not exist|there is no|no contact with|cannot do that/],
  ["no permission", 403, /may not|not yours|not allowed/],
] as const)("%s", (column, status, words) => {
  it.each(rowsOf(column))("%s", async (name, tool) => {
    const input = await argumentsFor(name, column, stage.world)
    if (isForced(tool, column)) stage.server.switches.intercept = (_method, path) => refusal(status, path)
    const called = await stage.call(tool, input)
    expectWords(called, words)
    expect(called.consents).toEqual([])
  })
})

describe("conflict", () => {
  it.each(rowsOf("conflict"))("%s", async (name, tool) => {
    const input = await argumentsFor(name, "conflict", stage.world)
    const { switches } = stage.server
    const before = switches.intercept
    const isOwn = !isForced(tool, "conflict")
    if (!isOwn)
      switches.intercept = (method, path) =>
        readers.has(method) ? before?.(method, path) : refusal(path.includes("/remote.php/") ? 412 : 409, path)
    const called = await stage.call(tool, input)
    if (tellsOfParts.has(name)) return expect(called.text).toMatch(/has changed since/)
    expectWords(called, /has changed since|already exists|there is a|is a file/)
    if (isOwn) expect(called.text).toMatch(/Current state: [[{]"?\w/)
  })
})

describe("expired credentials", () => {
  it.each(rowsOf("expired credentials"))("%s", async (name, tool) => {
    const input = await argumentsOf(name, stage.world)
    const { world, switches, access } = stage.server
    const before = switches.intercept
    for (const token of world.tokens) if (token.user === "alice") world.tokens.delete(token)
    switches.intercept = (method, path) => (access("alice").length === 0 ? undefined : before?.(method, path))
    const { result, text, consents } = await stage.call(tool, input)
    expect(result.isError, text).toBeFalsy()
    expect(consents.map(({ message }) => message)).toEqual([
      expect.stringMatching(/connect Nextcloud again: .*no longer accepts/),
    ])
  })
})

describe("a page in place of an answer", () => {
  it.each(rowsOf("a page in place of an answer"))("%s", async (name, tool) => {
    const input = await argumentsOf(name, stage.world)
    stage.server.switches.intercept = () => page
    expectWords(await stage.call(tool, input), /cannot be understood/)
  })
})

describe.each([
  ["a broken answer", cut],
  ["an answer of other types", bend],
] as const)("%s", (column, spoil) => {
  it.each(rowsOf(column))("%s", async (name, tool) => {
    const input = await argumentsOf(name, stage.world)
    stage.server.spoil = spoil
    const called = await stage.call(tool, input)
    // A tool that does not read the changed value may succeed.
    if (called.result.isError !== true) return expect(called.text).not.toMatch(/undefined|\[object |NaN/)
    expectWords(called, /cannot be understood|failed/)
  })
})

describe("declined", () => {
  it.each(rowsOf("declined"))("%s", async (name, tool) => {
    const input = await argumentsFor(name, "declined", stage.world)
    const question = await questionOf(tool, input, stage.world.alice)
    const called = await stage.call(tool, input, { onLoss: "decline" })
    expectWords(called, /said no/)
    expect(called.losses.map(({ message }) => message)).toEqual([expect.stringMatching(/\?/)])
    expect(called.requests.filter((request) => !readers.has(request.split(" ")[0] ?? ""))).toEqual([])
    expect(called.requests).toHaveLength(question.requests)
  })
})

describe("server down", () => {
  // Runs last, because another process may then listen on this address.
  beforeAll(() => stage.server.close())

  it.each(rowsOf("server down"))("%s", async (name, tool) => {
    const called = await stage.call(tool, await argumentsOf(name, stage.world))
    expectWords(called, /Nextcloud cannot be reached \(ECONNREFUSED\)\. Try again later/)
    expect(called.pauses, "tried again").toBeGreaterThanOrEqual(2)
    expect(called.consents).toEqual([])
  })
})
