// Scripts that users other than the owner can change, and links that lead out of the folder, are never run.

import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { afterEach, describe, expect, it, vi } from "vitest"
import { createCatalogue } from "../../src/catalogue/catalogue.ts"
import { inspectTools } from "../../src/catalogue/inspect.ts"
import { isOnlyMember } from "../../src/catalogue/private-group.ts"
import { makeToolFolder, script, type ToolFolder } from "./tool-folder.ts"

afterEach(() => vi.restoreAllMocks())

function withTwo(): ToolFolder {
  const folder = makeToolFolder()
  for (const name of ["a", "b"]) {
    folder.write(`${name}/tool.sh`, script)
    folder.write(`${name}/tool.meta.json`, { description: name })
  }
  return folder
}

/** Expects that the catalogue leaves out the tool “a”, with this message. */
function expectRefused(folder: ToolFolder, path: string, message: RegExp): void {
  const { tools, problems } = inspectTools(folder.path)
  expect(tools.map(({ name }) => name)).toEqual(["b"])
  expect(problems).toMatchObject([{ path, message: expect.stringMatching(message) }])
}

/** Makes another user the owner of a file: root changes the owner, other users pretend to have another id. */
function giveAway(path: string): void {
  const own = process.getuid?.() ?? 0
  if (own === 0) chownSync(path, 12_345, 12_345)
  else vi.spyOn(process, "getuid").mockReturnValue(own + 1)
}

describe("the catalogue", () => {
  it.each([
    ["script", "a/tool.sh"],
    ["metadata", "a/tool.meta.json"],
  ])("refuses a %s that every user can change", (_what, path) => {
    const folder = withTwo()
    chmodSync(folder.at(path), 0o757)
    expectRefused(folder, path, /every user/)
  })

  it("refuses a tool whose folder every user can change", () => {
    const folder = withTwo()
    chmodSync(folder.at("a"), 0o1777)
    expectRefused(folder, "a", /every user/)
  })

  it("refuses a script that the members of its group can change", () => {
    const folder = withTwo()
    chmodSync(folder.at("a/tool.sh"), 0o775)
    vi.spyOn(process, "getgid").mockReturnValue((process.getgid?.() ?? 0) + 1)
    expectRefused(folder, "a/tool.sh", /its group/)
  })

  it("refuses a script that another user owns", () => {
    const folder = withTwo()
    giveAway(folder.at("a/tool.sh"))
    const { tools, problems } = inspectTools(folder.path)
    expect(tools.map(({ name }) => name)).not.toContain("a")
    expect(problems[0]?.message).toMatch(/another user/)
  })

  it.each([
    ["script", "a/tool.sh"],
    ["metadata", "a/tool.meta.json"],
  ])("refuses a %s that is a link out of the folder", (_what, path) => {
    const folder = withTwo()
    const outside = makeToolFolder().write("file", path.endsWith("json") ? "{}" : script, 0o755)
    rmSync(folder.at(path))
    symlinkSync(outside, folder.at(path))
    expectRefused(folder, path, /out of the folder/)
  })

  it("refuses a script behind a link in a folder that every user can change", () => {
    const folder = withTwo()
    folder.write("lib/open/real.sh", script)
    chmodSync(folder.at("lib/open"), 0o777)
    rmSync(folder.at("a/tool.sh"))
    symlinkSync("../lib/open/real.sh", folder.at("a/tool.sh"))
    expectRefused(folder, "a/tool.sh", /every user/)
  })

  it("refuses a folder that is a link out of the folder", () => {
    const folder = withTwo()
    const outside = makeToolFolder()
    outside.write("c/tool.sh", script)
    symlinkSync(outside.at("c"), folder.at("c"))
    const { tools, problems } = inspectTools(folder.path)
    expect(tools.map(({ name }) => name)).toEqual(["a", "b"])
    expect(problems).toMatchObject([{ path: "c", message: expect.stringMatching(/out of the folder/) }])
  })

  it("refuses tools below a folder that others can change, unless that is a sticky parent folder", () => {
    const folder = makeToolFolder()
    folder.write("shared/tools/a/tool.sh", script)
    chmodSync(folder.at("shared"), 0o777)
    expect(inspectTools(folder.at("shared/tools"))).toMatchObject({ isRefused: true, tools: [] })
    chmodSync(folder.at("shared"), 0o1777)
    expect(inspectTools(folder.at("shared/tools"))).toMatchObject({ isRefused: false, tools: [{ name: "a" }] })
    chmodSync(folder.at("shared/tools"), 0o1777)
    expect(inspectTools(folder.at("shared/tools"))).toMatchObject({ isRefused: true, tools: [] })
  })

  it("finds no tool by a path", () => {
    const folder = withTwo()
    mkdirSync(folder.at("c"))
    const catalogue = createCatalogue(folder.path)
    for (const name of ["../a", "a/../b", "a/tool.sh", "", ".", "__proto__"])
      expect(catalogue.find(name)).toBeUndefined()
    catalogue.close()
  })

  it("finds no tool that has become unsafe since it was listed", () => {
    const folder = withTwo()
    const catalogue = createCatalogue(folder.path)
    expect(catalogue.find("a")).toBeDefined()
    chmodSync(folder.at("a/tool.sh"), 0o777)
    expect(catalogue.find("a")).toBeUndefined()
    chmodSync(folder.at("a/tool.sh"), 0o755)
    expect(catalogue.find("a")).toBeDefined()
    chmodSync(folder.path, 0o777)
    expect(catalogue.find("a")).toBeUndefined()
    catalogue.close()
  })
})

describe("a group", () => {
  const passwd = "root:x:0:0:root:/:/bin/sh\nana:x:1000:1000::/:/bin/sh\nbo:x:1001:100::/:/bin/sh\n"
  const ana = { uid: 1000, gid: 1000 }

  it("is private when the user is its only member", () => {
    expect(isOnlyMember(ana, passwd, "ana:x:1000:\nusers:x:100:\n")).toBe(true)
    expect(isOnlyMember(ana, passwd, "ana:x:1000:ana\n")).toBe(true)
  })

  it("is not private when it has another member, or when the group or the user is unknown", () => {
    expect(isOnlyMember(ana, passwd, "ana:x:1000:bo\n")).toBe(false)
    expect(isOnlyMember(ana, passwd, "users:x:100:\n")).toBe(false)
    expect(isOnlyMember({ uid: 1000, gid: 100 }, passwd, "users:x:100:\n")).toBe(false)
    expect(isOnlyMember({ uid: 7, gid: 1000 }, passwd, "ana:x:1000:\n")).toBe(false)
  })
})
