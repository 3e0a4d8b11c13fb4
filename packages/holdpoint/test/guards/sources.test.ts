// Tests of the source reader that the guards rely on.

import { describe, expect, it } from "vitest"
import { importsOf, sources, toCode } from "./sources.ts"

describe("importsOf", () => {
  it.each([
    ['import a from "x"', "x", false],
    ['import * as a from "x"', "x", false],
    ['import a, { b } from "x"', "x", false],
    ['import {\n  a,\n  type B,\n} from "x"', "x", false],
    ["import 'x'", "x", false],
    ['import type { A } from "x"', "x", true],
    ['import type A from "x"', "x", true],
    ['export { a } from "x"', "x", false],
    ['export * from "x"', "x", false],
    ['export type { A } from "x"', "x", true],
    ['const a = await import("x")', "x", false],
    ['type A = import("x").B', "x", false],
  ])("finds %j", (text, specifier, typeOnly) => {
    expect(importsOf(text)).toEqual([{ specifier, typeOnly }])
  })

  it("is not led astray by comments, strings, templates and regular expressions", () => {
    const text = [
      '// import "a"',
      '/* import "b" */',
      `const c = 'import "c"'`,
      'const d = `import "d" $' + '{e({ f: `import "g"` })} from "h"`',
      'const i = /import "i"[/"`]/.test(j) / 2',
      'export const k = "k"',
      'import { l } from "l"',
    ].join("\n")
    expect(importsOf(text)).toEqual([{ specifier: "l", typeOnly: false }])
  })
})

describe("toCode", () => {
  it("keeps the lines of every source of this repository", () => {
    const changed = sources().filter(({ text }) => toCode(text).code.split("\n").length !== text.split("\n").length)
    expect(changed.map(({ path }) => path)).toEqual([])
  })
})
