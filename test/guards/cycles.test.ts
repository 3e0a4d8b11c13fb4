// Run-time imports have no cycles (types are erased): each file can be read, loaded and tested after its imports.

import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, isUnder, type Source, sources } from "./sources.ts"

describe("imports at run time", () => {
  it("have no cycle", () => {
    const programs = sources().filter(({ path }) => isUnder(path, "packages/*/src", "apps/*/src"))
    expect(cyclesIn(programs)).toEqual([])
  })

  it.each([
    ["two files that import each other", { a: "./b.ts", b: "./a.ts" }, ["src/a.ts → src/b.ts → src/a.ts"]],
    ["a longer cycle", { a: "./b.ts", b: "./c.ts", c: "./a.ts" }, ["src/a.ts → src/b.ts → src/c.ts → src/a.ts"]],
    ["a chain without a cycle", { a: "./b.ts", b: "./c.ts", c: "" }, []],
    ["two paths to one file, without a cycle", { a: "./b.ts ./c.ts", b: "./d.ts", c: "./d.ts", d: "" }, []],
    ["two paths to a cycle", { a: "./b.ts ./c.ts", b: "./c.ts", c: "./b.ts" }, ["src/b.ts → src/c.ts → src/b.ts"]],
  ])("have their cycles detected: %s", (_what, files, cycles) => {
    const toSource = ([name, imported]: [string, string]): Source => ({
      path: `src/${name}.ts`,
      text: imported.replace(/\S+/g, (file) => `import { x } from "${file}"\nimport type { Y } from "./a.ts"\n`),
    })
    expect(cyclesIn(Object.entries(files).map(toSource))).toEqual(cycles)
  })
})

/** Describes the import cycles of the files. */
function cyclesIn(files: readonly Source[]): readonly string[] {
  const imported = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ specifier, typeOnly }) => specifier.startsWith(".") && !typeOnly)
        .map(({ specifier }) => join(dirname(path), specifier)),
    ]),
  )
  const cycles: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, trace: readonly string[]): void => {
    const at = trace.indexOf(path)
    if (at >= 0) cycles.push([...trace.slice(at), path].join(" → "))
    if (at >= 0 || finished.has(path)) return
    for (const next of imported.get(path) ?? []) visit(next, [...trace, path])
    finished.add(path)
  }
  for (const path of imported.keys()) visit(path, [])
  return cycles
}
