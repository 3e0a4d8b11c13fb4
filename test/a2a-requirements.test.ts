// Every requirement of the official kit names a test, or the reason why there is none.

import { a2aRequirements } from "@holdpoint/testkit/a2a/agents/requirements"
import { describe, expect, it } from "vitest"
import { sources, toCode } from "./guards/sources.ts"

const cited = new Set(
  sources()
    .filter(({ path }) => /^(?:packages|test\/across)\/a2a\/.*\.test\.ts$/.test(path))
    .flatMap(({ text }) => citedIn(text)),
)

describe("the requirements of the official kit", () => {
  it("are the 128 that could be read, each once", () => {
    const ids = a2aRequirements.map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([128, 128])
  })

  it("are each cited by a test, or have a gap that says why not", () => {
    const missing = a2aRequirements.filter(({ id, gap }) => gap === undefined && !cited.has(id)).map(({ id }) => id)
    expect(missing, `\nNo test cites:\n${missing.map((id) => `  ${id}`).join("\n")}\n`).toEqual([])
  })

  it("have no gap that a test has closed", () => {
    expect(a2aRequirements.filter(({ id, gap }) => gap !== undefined && cited.has(id)).map(({ id }) => id)).toEqual([])
  })

  it("are found where they are cited in calls and in tables, and not in comments", () => {
    const text = ['conforms("A-1", "…")', 'conforms.each(["B-1", "B-2"])([1])("…")', '// conforms("C-1", "…")']
    expect(citedIn(text.join("\n"))).toEqual(["A-1", "B-1", "B-2"])
  })
})

function citedIn(text: string): readonly string[] {
  const { code, literals } = toCode(text)
  return [...code.matchAll(/\bconforms(?:\.each)?\s*\(\s*(\[[^\]]*\]|"\d+")/g)].flatMap(([, ids = ""]) =>
    [...ids.matchAll(/"(\d+)"/g)].map(([, index]) => literals[Number(index)] ?? ""),
  )
}
