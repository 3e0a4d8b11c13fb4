// Tests of the functions that read documents.

import { blocksOf, pathsIn, snippetOf, tablesIn } from "@holdpoint/testkit/documents"
import { describe, expect, it } from "vitest"

const files = ["README.md", "docs/tour.md", "packages/hub/src/core/url.ts", "examples/1-ask/main.ts"]
const missingIn = (text: string) => pathsIn({ path: "docs/tour.md", text }, files)

describe("pathsIn", () => {
  it.each([
    "`packages/hub/src/core/gone.ts`",
    "`core/gone.ts`",
    "`gone.ts`",
    "`examples/2-gone/`",
    "`node examples/1-ask/gone.ts --now`",
    "[gone](gone.md)",
    "[gone](../docs/gone.md#part)",
    "```sh\nnode examples/2-gone/main.ts\n```",
  ])("reports the missing path in %j", (text) => {
    expect(missingIn(text)).toHaveLength(1)
  })

  it.each([
    "`core/url.ts`, `url.ts:12`, `examples/1-ask/`, `node examples/1-ask/main.ts`, `docs/tour.md`, `README.md`",
    "[readme](../README.md#part) [web](https://example.com/a.md) [here](#part)",
    "`packages/*/src`, `examples/N-…`, `@holdpoint/hub/sqlite`, `elicitation/create`, `application/json`, `~/a/b.json`",
    "```sh\nnode examples/1-ask/main.ts\nls packages/hub/src\n```",
    '```json\n{ "a": "examples/2-gone" }\n```',
  ])("reports nothing in %j", (text) => {
    expect(missingIn(text)).toEqual([])
  })
})

describe("blocksOf and snippetOf", () => {
  it("compare a block with its source or a region of it", () => {
    const markdown = "A:\n\n```ts file=a.ts#go\nif (a) {\n  b()\n}\n```\n\n```sh\nls\n```\n"
    const source = "// top\n\nfunction x() {\n  // #region go\n  if (a) {\n    b()\n  }\n  // #endregion\n}\n"
    const [block, other] = blocksOf(markdown)
    expect(block).toEqual({ language: "ts", from: "a.ts#go", line: 3, text: snippetOf(source, "go") })
    expect(other).toMatchObject({ language: "sh", from: undefined, text: "ls" })
    expect(snippetOf(source, "gone")).toBeUndefined()
    expect(snippetOf("#!/bin/sh\n# #region go\nls\n# #endregion\n", "go")).toBe("ls")
    expect(snippetOf(source, undefined)).toBe(source.trimEnd())
  })
})

describe("tablesIn", () => {
  it("reads the first column under each table's heading", () => {
    const markdown =
      "# Storage\n\n## `b`: two\n\n| column | what |\n|---|---|\n| `y` | `no` |\n\n## `a`\n\n| `x` | … |\n"
    expect(tablesIn(markdown)).toEqual({ a: ["x"], b: ["y"] })
  })
})
