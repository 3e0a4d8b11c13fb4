// Every requirement is verified by a test, or is listed as a gap.

import { type Requirement, requirements } from "@holdpoint/testkit/requirements"
import { describe, expect, it } from "vitest"
import { isUnder, type Source, sources, toCode } from "./sources.ts"

interface Citation {
  readonly id: string
  readonly path: string
}

const groups =
  /^(?:core|form|answer|secret|url|audience|hub|outlet|delivery|directory|limit|trail|store|retention|terminal|command|seal|connection|provider|consent|fetch|identity|caller|authority|page|mcp|telemetry|stream|client|run|slack|webhook|email|ladder|votes|agenda)\.[a-z0-9]+(?:-[a-z0-9]+)*$/

describe("the requirements", () => {
  const cited = sources().filter(isCiting).flatMap(citationsOf)

  it("have unique ids in a known group, a text and a source", () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(
      requirements.filter(({ id, text, source }) => !groups.test(id) || !text.endsWith(".") || source === ""),
    ).toEqual([])
  })

  it("are each cited by a test, or have a gap that says why not", () => {
    const missing = uncited(requirements, cited)
    expect(missing, `\nNo test cites:\n${missing.map((id) => `  ${id}`).join("\n")}\n`).toEqual([])
  })

  it("exist wherever a test cites one", () => {
    const unknown = unknownIn(requirements, cited)
    expect(unknown, `\nUnknown ids are cited:\n${unknown.map((line) => `  ${line}`).join("\n")}\n`).toEqual([])
  })

  it("have no gap that a test has closed", () => {
    const closed = closedGaps(requirements, cited)
    expect(closed, `\nCited, so remove the gap:\n${closed.map((id) => `  ${id}`).join("\n")}\n`).toEqual([])
  })
})

describe("the guard of the requirements", () => {
  const rows = [
    { id: "a.cited", text: "", source: "" },
    { id: "a.missing", text: "", source: "" },
    { id: "a.gap", text: "", source: "", gap: "later" },
    { id: "a.closed", text: "", source: "", gap: "later" },
  ]
  const text = [
    'verifies("a.cited", "…", () => {})',
    'verifies(["a.closed", "a.unknown"], "…", () => {})',
    'verifies.each("a.cited")([1, 2])("…", () => {})',
    'const row = { name: "…", verifies: ["a.cited"], run() {} }',
    '// verifies("a.missing", "…", () => {})',
  ].join("\n")
  const cited = citationsOf({ path: "x.test.ts", text })

  it("finds citations in calls, in tables and in the contract's rows, and none in comments", () => {
    expect(cited.map(({ id }) => id)).toEqual(["a.cited", "a.closed", "a.unknown", "a.cited", "a.cited"])
  })

  it("reports missing citations, unknown ids and closed gaps", () => {
    expect(uncited(rows, cited)).toEqual(["a.missing"])
    expect(unknownIn(rows, cited)).toEqual(["a.unknown (x.test.ts)"])
    expect(closedGaps(rows, cited)).toEqual(["a.closed"])
  })
})

/** Whether the file can cite requirements: tests, and the contract suites, which are data in the library. */
function isCiting({ path }: Source): boolean {
  if (path.endsWith("guards/requirements.test.ts")) return false
  return /\.test\.ts$/.test(path) || isUnder(path, "packages/testing/src/contract")
}

function citationsOf({ path, text }: Source): readonly Citation[] {
  const { code, literals } = toCode(text)
  return [...code.matchAll(/\bverifies(?:\.each)?\s*[(:]\s*(\[[^\]]*\]|"\d+")/g)].flatMap(([, ids = ""]) =>
    [...ids.matchAll(/"(\d+)"/g)].map(([, index]) => ({ id: literals[Number(index)] ?? "", path })),
  )
}

function uncited(rows: readonly Requirement[], cited: readonly Citation[]): readonly string[] {
  const ids = new Set(cited.map(({ id }) => id))
  return rows.filter(({ id, gap }) => gap === undefined && !ids.has(id)).map(({ id }) => id)
}

function unknownIn(rows: readonly Requirement[], cited: readonly Citation[]): readonly string[] {
  const known = new Set(rows.map(({ id }) => id))
  return cited.filter(({ id }) => !known.has(id)).map(({ id, path }) => `${id} (${path})`)
}

function closedGaps(rows: readonly Requirement[], cited: readonly Citation[]): readonly string[] {
  const ids = new Set(cited.map(({ id }) => id))
  return rows.filter(({ id, gap }) => gap !== undefined && ids.has(id)).map(({ id }) => id)
}
