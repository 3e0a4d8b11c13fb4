// The text of models is parsed into blocks and pieces.

import { describe, expect, it } from "vitest"
import { toBlocks, toPieces } from "../src/rich-text.ts"

describe("a text", () => {
  it("is paragraphs, lists, headings and code", () => {
    const text = [
      "# Notes",
      "one",
      "two",
      "",
      "- a",
      "- b",
      "  goes on",
      "",
      "3. c",
      "4) d",
      "```js",
      "- x",
      "",
      "```",
      "end",
    ]
    expect(toBlocks(text.join("\n")).map((block) => [block.kind, "items" in block ? block.items.length : 0])).toEqual([
      ["heading", 0],
      ["paragraph", 0],
      ["list", 2],
      ["list", 2],
      ["code", 0],
      ["paragraph", 0],
    ])
    expect(toBlocks(text.join("\n"))[3]).toMatchObject({ isOrdered: true, start: 3 })
    expect(toBlocks(text.join("\n"))[4]).toEqual({ kind: "code", text: "- x\n" })
  })

  it("with an open code fence is code to its end", () => {
    expect(toBlocks("```\nlet a").at(-1)).toEqual({ kind: "code", text: "let a" })
  })

  it.each(["", " ", "\n\n"])("%j has no blocks", (text) => {
    expect(toBlocks(text)).toEqual([])
  })
})

describe("a line", () => {
  it.each([
    ["plain", [["text", "plain"]]],
    [
      "a `b` c",
      [
        ["text", "a "],
        ["code", "b"],
        ["text", " c"],
      ],
    ],
    [
      "**b** and *i*",
      [
        ["strong", "b"],
        ["text", " and "],
        ["emphasis", "i"],
      ],
    ],
    ["2 * 3 * 4", [["text", "2 * 3 * 4"]]],
    [
      "see https://a.example/b.",
      [
        ["text", "see "],
        ["link", "https://a.example/b"],
        ["text", "."],
      ],
    ],
    ["[words](https://a.example/)", [["link", "words"]]],
    ["<img src=x onerror=alert(1)>", [["text", "<img src=x onerror=alert(1)>"]]],
    ["`**not strong**`", [["code", "**not strong**"]]],
  ])("%j is read", (line, pieces) => {
    expect(toPieces(line).map(({ kind, text }) => [kind, text])).toEqual(pieces)
  })

  it.each([
    ["[Sign in again](https://evil.example/x)", "Sign in again", "evil.example"],
    ["[https://bank.example/](https://evil.example/x)", "https://evil.example/x", undefined],
    ["[bank.example](https://evil.example/x)", "https://evil.example/x", undefined],
    ["[bank\u3002example](https://evil.example/x)", "https://evil.example/x", undefined],
    ["[b\u200bank.\u200bexample](https://evil.example/x)", "https://evil.example/x", undefined],
    ["[ｂａｎｋ．example](https://evil.example/x)", "https://evil.example/x", undefined],
    ["https://evil.example/x", "https://evil.example/x", undefined],
  ])("%j shows where its link leads", (line, text, host) => {
    expect(toPieces(line)).toEqual([{ kind: "link", text, url: "https://evil.example/x", ...(host && { host }) }])
  })

  it.each([
    "[a](http://b.example/)",
    "http://b.example/",
    "[a](javascript:alert(1))",
    "[a](data:text/html,x)",
    "javascript:alert(1)",
    "[a](//b.example)",
  ])("%j has no link", (line) => {
    expect(toPieces(line).some(({ kind }) => kind === "link")).toBe(false)
  })

  it.each(["**".repeat(20_000), "[".repeat(20_000), `*a${" *a".repeat(10_000)}`, "`".repeat(20_000)])(
    "that is long and odd is parsed in time",
    (line) => {
      const before = performance.now()
      toPieces(line)
      expect(performance.now() - before).toBeLessThan(2_000)
    },
  )
})
