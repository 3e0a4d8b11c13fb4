// Run-time imports have no cycles (types are erased): each file can be read, loaded and tested after its imports. With
// imports of types, at most three files may need each other.

import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf, isUnder, type Source, sources } from "./sources.ts"

const mostTogether = 3

/** The steps of a consent all take the parts of the whole, which lists the steps. */
const knownCircle = "/vault/consent/"

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

describe("imports, those of types included", () => {
  it(`join at most ${mostTogether} files into a circle`, () => {
    const programs = sources().filter(({ path }) => isUnder(path, "packages/*/src", "apps/*/src"))
    const tooLarge = circlesIn(programs).filter((files) => files.length > mostTogether)
    expect(tooLarge.filter((files) => !files.every((path) => path.includes(knownCircle)))).toEqual([])
    expect(tooLarge.length, "the exception is still needed").toBe(1)
  })

  it("have their circles detected, also through types", () => {
    const files = ["b", "c", "d", "a", "a"].map((imported, index) => ({
      path: `src/${"abcde"[index]}.ts`,
      text: `import type { X } from "./${imported}.ts"\n`,
    }))
    expect(circlesIn(files)).toEqual([["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"]])
  })
})

/** Lists the groups of files that need each other, each sorted by path. */
function circlesIn(files: readonly Source[]): readonly (readonly string[])[] {
  const imported = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => join(dirname(path), specifier)),
    ]),
  )
  const reached = new Map([...imported.keys()].map((path) => [path, reachableFrom(path, imported)]))
  const circles = new Map<string, readonly string[]>()
  for (const [path, targets] of reached) {
    if (!targets.has(path)) continue
    const circle = [...targets].filter((target) => reached.get(target)?.has(path) === true).sort()
    circles.set(circle.join(" "), circle)
  }
  return [...circles.values()].filter(({ length }) => length > 1)
}

/** The files that a file imports, directly or through others. Contains the file itself only if it is in a circle. */
function reachableFrom(start: string, imported: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...(imported.get(start) ?? [])]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    open.push(...(imported.get(path) ?? []))
  }
  return reached
}

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
