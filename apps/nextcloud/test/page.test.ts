// Lists in pages and texts in parts: no item is missing and no item is repeated.

import { createStandIn } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { idInCursor, toIdCursor } from "../src/id-cursor.ts"
import { offsetIn, toCursor, toExcerpt, toPage, toTextPart } from "../src/page.ts"
import type { Tool, Toolset } from "../src/tool.ts"
import { table } from "../src/tools/table.ts"
import { callTool } from "./fits.ts"
import { connect } from "./nextcloud.ts"
import { samples } from "./samples/all.ts"

describe("a list in pages", () => {
  const all = Array.from({ length: 123 }, (_, index) => index)

  it.each([1, 7, 50, 123, 200])("is complete when read %i at a time", (limit) => {
    const read: number[] = []
    let cursor: string | undefined
    do {
      const { items, facts } = toPage(all, { limit, cursor })
      expect(facts.total).toBe(123)
      read.push(...items)
      cursor = facts.next_cursor
    } while (cursor !== undefined)
    expect(read).toEqual(all)
  })

  it("has 50 items on a page by default, and no cursor when everything fits", () => {
    expect(toPage(all, {}).items).toHaveLength(50)
    expect(toPage([1, 2], {}).facts).toEqual({ total: 2 })
    expect(toPage([], {})).toEqual({ items: [], facts: { total: 0 } })
  })

  it("that became shorter than the cursor ends with an empty page", () => {
    expect(toPage([1], { cursor: toCursor(50) })).toEqual({ items: [], facts: { total: 1 } })
  })

  it.each(["", "50", "at-", "at--1", "at-1e3", "at-99999999999999999", "id-5"])("refuses the cursor “%s”", (cursor) => {
    expect(() => offsetIn(cursor)).toThrow(/Omit `cursor`/)
  })

  it.each(["", "5", "at-5", "id-x"])("by ids refuses the cursor “%s”", (cursor) => {
    expect(() => idInCursor(cursor)).toThrow(/Omit `cursor`/)
    expect(idInCursor(toIdCursor(78))).toBe(78)
  })
})

describe("a tool that lists", () => {
  /** Toolsets that the stand-in answers from recordings, with the same response for every page. */
  const recorded: readonly Toolset[] = ["deck", "tables", "cookbook", "news", "talk"]
  const listing = table.filter((tool) => "cursor" in tool.input.properties && !recorded.includes(tool.app))

  type Listed = Readonly<Record<string, unknown>> & { readonly next_cursor?: string; readonly total?: number }

  async function readAll(tool: Tool, limit: number) {
    const standIn = createStandIn({ seed: true })
    const at = (user: string) => connect(standIn.fetch, { user, url: "http://localhost" }).nextcloud
    const world = { standIn, alice: at("alice"), bob: at("bob") }
    const { limit: _, ...input } = (await samples[tool.name]?.arguments(world)) ?? {}
    const items: string[] = []
    const totals = new Set<number | undefined>()
    let cursor: string | undefined
    for (let pages = 0; pages < 200; pages++) {
      const page = { ...input, limit, ...(cursor === undefined ? {} : { cursor }) }
      const listed = await callTool<Listed>(tool, page, world.alice)
      const entries = Object.values(listed).find(Array.isArray) ?? []
      expect(entries.length).toBeLessThanOrEqual(limit)
      items.push(...entries.map((one) => JSON.stringify(one)))
      totals.add(listed.total)
      cursor = listed.next_cursor
      if (cursor === undefined) return { items, totals: [...totals] }
    }
    throw new Error("It does not end.")
  }

  it.each(listing.map((tool) => [tool.name, tool] as const))("%s can be read to its end in pages", async (_, tool) => {
    const { items, totals } = await readAll(tool, 2)
    expect(new Set(items).size, "nothing comes twice").toBe(items.length)
    if (totals[0] !== undefined) expect(totals, "as many as it says").toEqual([items.length])
  })
})

describe("a text in parts", () => {
  it.each([1, 2, 3, 10, 1_000])("is complete when read %i characters at a time, and no character is split", (most) => {
    const whole = "añ🦊日本👩‍👩‍👧 end"
    let read = ""
    let offset: number | undefined = 0
    for (let parts = 0; offset !== undefined && parts < 100; parts++) {
      const part = toTextPart(whole, offset, Math.max(most, 2))
      expect(part.content.isWellFormed()).toBe(true)
      expect(part.total_characters).toBe(whole.length)
      read += part.content
      offset = part.next_offset
    }
    expect(read).toBe(whole)
  })

  it("past its end is empty", () => {
    expect(toTextPart("abc", 10)).toEqual({ content: "", total_characters: 3 })
  })
})

describe("an excerpt", () => {
  it("is one line, and shows when text was cut", () => {
    expect(toExcerpt(" a\n\n  b\tc ")).toBe("a b c")
    expect(toExcerpt("x".repeat(300), 10)).toBe(`${"x".repeat(9)}…`)
  })
})
