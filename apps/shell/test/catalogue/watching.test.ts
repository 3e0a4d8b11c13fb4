// An open catalogue notices changes in its folder, and calls use the current files.

import { renameSync, rmSync } from "node:fs"
import { describe, expect, it, onTestFinished } from "vitest"
import { createCatalogue } from "../../src/catalogue/catalogue.ts"
import type { Catalogue } from "../../src/tool.ts"
import { makeToolFolder, script } from "./tool-folder.ts"

function opened(path: string): Catalogue {
  const catalogue = createCatalogue(path)
  onTestFinished(() => catalogue.close())
  return catalogue
}

const namesOf = ({ tools }: Catalogue): readonly string[] => tools().map(({ name }) => name)

/** Resolves when the list of tools is as expected. Otherwise the test fails by its time limit. */
function until(catalogue: Catalogue, isExpected: (names: readonly string[]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = catalogue.onChange(() => {
      if (!isExpected(namesOf(catalogue))) return
      stop()
      resolve()
    })
  })
}

describe("an open catalogue", () => {
  it("reports an added, a renamed and a removed tool", async () => {
    const folder = makeToolFolder()
    folder.write("a/tool.sh", script)
    const open = opened(folder.path)
    const added = until(open, (names) => names.includes("b"))
    folder.write("b/tool.sh", script)
    await added
    const renamed = until(open, (names) => names.includes("c") && !names.includes("b"))
    folder.write("b/tool.meta.json", { name: "c" })
    await renamed
    const gone = until(open, (names) => names.join() === "a")
    rmSync(folder.at("b"), { recursive: true })
    await gone
  })

  it("reports the tools of a folder that replaces its own", async () => {
    const folder = makeToolFolder()
    folder.write("one/tools/a/tool.sh", script)
    folder.write("two/tools/b/tool.sh", script)
    const open = opened(folder.at("one/tools"))
    const gone = until(open, (names) => names.length === 0)
    renameSync(folder.at("one"), folder.at("old"))
    await gone
    const back = until(open, (names) => names.join() === "b")
    renameSync(folder.at("two"), folder.at("one"))
    await back
    const more = until(open, (names) => names.join() === "b,c")
    folder.write("one/tools/c/tool.sh", script)
    await more
  })

  it("finds a tool by the current content of its files", () => {
    const folder = makeToolFolder()
    folder.write("a/tool.sh", script)
    const open = opened(folder.path)
    expect(open.find("a")).toMatchObject({ description: "Runs the script a/tool.sh." })
    folder.write("a/tool.meta.json", { description: "Changed", timeoutSecs: 5 })
    expect(open.find("a")).toMatchObject({ description: "Changed", timeoutMs: 5_000 })
    folder.write("b/tool.sh", script)
    expect(open.find("b")).toMatchObject({ name: "b" })
    folder.write("a/tool.meta.json", { name: "other" })
    expect(open.find("a")).toBeUndefined()
    expect(open.find("other")).toMatchObject({ name: "other" })
    rmSync(folder.at("b"), { recursive: true })
    expect(open.find("b")).toBeUndefined()
  })
})
