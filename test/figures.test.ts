// The figures in documents are those of the sources. Each is tested by what it counts.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { fill, readFigures } from "../scripts/figures/figures.ts"
import { countInstalled } from "../scripts/figures/installed.ts"
import { namesOf } from "../scripts/figures/names.ts"
import { readWorkspaces, root } from "../scripts/figures/workspaces.ts"
import { isPassOn } from "../scripts/walks/profile.ts"
import { filesUnder, read } from "./guards/sources.ts"

describe("a document", () => {
  const figures = readFigures()
  const marked = filesUnder(".").filter((path) => path.endsWith(".md") && read(path).text.includes("<!-- figure "))

  it.each(marked)("%s has the figures of today: `npm run docs:figures` writes them", (path) => {
    const text = readFileSync(join(root, path), "utf8")
    expect(fill(text, figures)).toBe(text)
  })

  it("has each figure somewhere", () => {
    const all = marked.map((path) => read(path).text).join()
    expect(Object.keys(figures).filter((name) => !all.includes(`<!-- figure ${name} -->`))).toEqual([])
  })

  it("is filled only in its marked places, and with known figures", () => {
    const text = "It has <!-- figure tools -->3<!-- end --> tools and 3 names."
    expect(fill(text, { tools: "4" })).toBe("It has <!-- figure tools -->4<!-- end --> tools and 3 names.")
    expect(() => fill(text, {})).toThrow("There is no figure “tools”")
  })
})

describe("the count", () => {
  it("of names is that of the snapshots", () => {
    const entries = readWorkspaces().flatMap(({ folder, exports }) =>
      Object.entries(exports).map(([entry, file]) => ({ folder, entry, file })),
    )
    expect(entries.length).toBeGreaterThan(20)
    for (const { folder, entry, file } of entries) {
      const name = `${folder.split("/").at(-1)}${entry.slice(1).replace("/", "-")}`
      const agreed = read(`test/guards/names/${name}.txt`).text.trim().split("\n")
      const names = agreed.map((line) => line.replace(/^type /, ""))
      expect([...namesOf(join(root, folder, file))].sort(), name).toEqual(names.sort())
    }
  })

  it("of installed packages follows dependencies and required peers, each once, as Node finds them", () => {
    const lock = {
      "packages/a": { dependencies: { b: "1", c: "1" }, peerDependencies: { d: "1", e: "1" } },
      "node_modules/b": { dependencies: { c: "2" } },
      "node_modules/b/node_modules/c": {},
      "node_modules/c": { optionalDependencies: { win: "1", linux: "1" } },
      "node_modules/d": { link: true, resolved: "packages/d" },
      "packages/d": { dependencies: { b: "1" } },
      "node_modules/win": { os: ["win32"] },
      "node_modules/linux": { os: ["linux"], cpu: ["x64"] },
    }
    const optional = { "packages/a": { ...lock["packages/a"], peerDependenciesMeta: { d: { optional: true } } } }
    expect(countInstalled(lock, "packages/a")).toBe(6)
    expect(countInstalled({ ...lock, ...optional }, "packages/a")).toBe(5)
  })

  it.each([
    ["(run) => records.get(run)", true],
    ["async get(run, at) {\n  return await records.get(run, at);\n}", true],
    ["function get(run) {\n  return (0, __vi_import_0__.get)(run);\n}", true],
    ["close(done) { server.close(done) }", true],
    ["(run) => records.get(run.id)", false],
    ["(run) => records.get(run, 1)", false],
    ["(run) => { count(); return records.get(run) }", false],
    ["() => records.close()", false],
  ])("of functions that only pass on: %j is %s", (code, is) => {
    expect(isPassOn(code)).toBe(is)
  })
})
