// No file imports itself by way of others, once types are erased: each can be read, loaded and tested after those it needs.

import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, isUnder, type Source, sources } from "./sources.ts"

describe("imports at run time", () => {
  it("lead in no circle", () => {
    const programs = sources().filter(({ path }) => isUnder(path, "packages/*/src", "apps/*/src"))
    expect(circlesIn(programs)).toEqual([])
  })

  it.each([
    ["two files that import each other", { a: "./b.ts", b: "./a.ts" }, ["src/a.ts → src/b.ts → src/a.ts"]],
    ["a longer way round", { a: "./b.ts", b: "./c.ts", c: "./a.ts" }, ["src/a.ts → src/b.ts → src/c.ts → src/a.ts"]],
    ["two ways to one file", { a: "./b.ts", b: "./c.ts", c: "" }, []],
  ])("are seen: %s", (_what, files, circles) => {
    const toSource = ([name, imported]: [string, string]): Source => ({
      path: `src/${name}.ts`,
      text: imported === "" ? "" : `import { x } from "${imported}"\nimport type { Y } from "./a.ts"`,
    })
    expect(circlesIn(Object.entries(files).map(toSource))).toEqual(circles)
  })
})

/** Describes the import cycles of the files. */
function circlesIn(files: readonly Source[]): readonly string[] {
  const imported = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ specifier, typeOnly }) => specifier.startsWith(".") && !typeOnly)
        .map(({ specifier }) => join(dirname(path), specifier)),
    ]),
  )
  const circles: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, trace: readonly string[]): void => {
    const at = trace.indexOf(path)
    if (at >= 0) circles.push([...trace.slice(at), path].join(" → "))
    if (at >= 0 || finished.has(path)) return
    for (const next of imported.get(path) ?? []) visit(next, [...trace, path])
    finished.add(path)
  }
  for (const path of imported.keys()) visit(path, [])
  return circles
}
