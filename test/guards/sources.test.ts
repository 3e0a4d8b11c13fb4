// Tests of the source reader that the guards rely on.

import { describe, expect, it } from "vitest"
import { importsOf, sources, toCode } from "./sources.ts"

describe("importsOf", () => {
  it.each([
    ['import a from "x"', "x", false, false],
    ['import * as a from "x"', "x", false, false],
    ['import a, { b } from "x"', "x", false, false],
    ['import {\n  a,\n  type B,\n} from "x"', "x", false, false],
    ["import 'x'", "x", false, false],
    ['import type { A } from "x"', "x", true, false],
    ['import type A from "x"', "x", true, false],
    ['export { a } from "x"', "x", false, false],
    ['export * from "x"', "x", false, false],
    ['export type { A } from "x"', "x", true, false],
    ['const a = await import("x")', "x", false, true],
    ['type A = import("x").B', "x", false, true],
  ])("finds %j", (text, specifier, typeOnly, isCall) => {
    expect(importsOf(text)).toEqual([{ specifier, typeOnly, isCall }])
  })

  it("ignores comments, strings, templates and regular expressions", () => {
    const text = [
      '// import "a"',
      '/* import "b" */',
      `const c = 'import "c"'`,
      'const d = `import "d" $' + '{e({ f: `import "g"` })} from "h"`',
      'const i = /import "i"[/"`]/.test(j) / 2',
      'export const k = "k"',
      'import { l } from "l"',
    ].join("\n")
    expect(importsOf(text)).toEqual([{ specifier: "l", typeOnly: false, isCall: false }])
  })
})

describe("toCode", () => {
  it("keeps the number of lines of every source in this repository", () => {
    const changed = sources().filter(({ text }) => toCode(text).code.split("\n").length !== text.split("\n").length)
    expect(changed.map(({ path }) => path)).toEqual([])
  })
})
