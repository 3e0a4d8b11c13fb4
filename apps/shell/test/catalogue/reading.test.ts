// Which files of a folder are tools, and what their metadata says.

import { symlinkSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { inspectTools } from "../../src/catalogue/inspect.ts"
import { serverMetaOf } from "../../src/catalogue/server-meta.ts"
import { makeToolFolder, script } from "./tool-folder.ts"

const namesIn = (path: string): readonly string[] => inspectTools(path).tools.map(({ name }) => name)

describe("a folder of tools", () => {
  it("has a tool for each folder with tool.* in any language", () => {
    const folder = makeToolFolder()
    folder.write("a/tool.sh", script)
    folder.write("b/tool.py", "#!/usr/bin/env python3\n")
    folder.write("c/tool", script)
    folder.write("d/tool.bin", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0]))
    expect(inspectTools(folder.path)).toMatchObject({ root: folder.path, problems: [] })
    expect(namesIn(folder.path)).toEqual(["a", "b", "c", "d"])
  })

  it("may be a subfolder of a project, even when a tool is called tools", () => {
    const folder = makeToolFolder()
    folder.write("tools/a/tool.sh", script)
    folder.write("server.d/register.sh", script)
    expect(inspectTools(folder.path)).toMatchObject({ root: folder.at("tools"), tools: [{ name: "a" }] })
    const other = makeToolFolder()
    other.write("tools/tool.sh", script)
    expect(inspectTools(other.path)).toMatchObject({ root: other.path, tools: [{ name: "tools" }] })
  })

  it("has a tool for each script with metadata of its name, and for the only script of a folder", () => {
    const folder = makeToolFolder()
    folder.write("media/inspect.sh", script)
    folder.write("media/inspect.meta.json", { description: "Looks" })
    folder.write("media/cut.py", "#!/usr/bin/env python3\n")
    folder.write("media/cut.py.meta.json", { name: "cut-film" })
    folder.write("media/helper.sh", script)
    folder.write("alone/report.sh", script)
    folder.write("alone/smoke.sh", script)
    folder.write("alone/notes.md", "not a script", 0o755)
    expect(namesIn(folder.path)).toEqual(["cut-film", "inspect", "report"])
  })

  it("reads metadata from a comment, which the metadata file overrides", () => {
    const folder = makeToolFolder()
    folder.write(
      "a/tool.sh",
      `#!/bin/sh\n# mcp: {"name": "first", "description": "From the comment", "timeoutSecs": 3}\n`,
    )
    folder.write("a/tool.meta.json", { description: "From the file" })
    folder.write("b/tool.mjs", `#!/usr/bin/env node\n// mcp: {"description": "A comment of another language"}\n`)
    folder.write("c/tool.sh", `#!/bin/sh\n${"#\n".repeat(9)}# mcp: {"description": "Below the first ten lines"}\n`)
    expect(inspectTools(folder.path).tools).toMatchObject([
      { name: "b", description: "A comment of another language" },
      { name: "c", description: "Runs the script c/tool.sh." },
      { name: "first", description: "From the file", timeoutMs: 3_000 },
    ])
  })

  it("reads every field of the metadata", () => {
    const folder = makeToolFolder()
    folder.write("a/tool.sh", script)
    const schema = { type: "object", properties: { n: { type: "number" } } }
    folder.write("a/tool.meta.json", {
      ...{ name: "full", title: "Full", description: "All of it", arguments: { properties: {} }, outputSchema: schema },
      ...{ timeoutSecs: "30", timeoutHint: "Less", progressExtendsTimeout: true, maxTimeoutSecs: 90 },
      annotations: { readOnlyHint: true },
      icons: [{ src: "https://example.org/a.png" }],
      _meta: { "example.org/a": 1 },
      holdpoint: { replayable: true, askWithinSecs: 60, outputType: "image/png" },
      somethingElse: null,
    })
    const [tool] = inspectTools(folder.path).tools
    expect(tool).toMatchObject({
      ...{ name: "full", title: "Full", description: "All of it", inputSchema: { type: "object", properties: {} } },
      ...{ outputSchema: schema, timeoutMs: 30_000, timeoutHint: "Less", maxTimeoutMs: 90_000 },
      ...{ progressExtendsTimeout: true, replayable: true, askWithinMs: 60_000, outputType: "image/png" },
      ...{
        annotations: { readOnlyHint: true },
        icons: [{ src: "https://example.org/a.png" }],
        meta: { "example.org/a": 1 },
      },
      ...{ program: folder.at("a/tool.sh"), folder: folder.at("a"), root: folder.path },
    })
    expect(tool?.metadata).toContain('"timeoutSecs":"30"')
  })

  it("embeds the content of an icon beside the script", () => {
    const folder = makeToolFolder()
    folder.write("a/tool.sh", script)
    folder.write("a/icon.svg", "<svg/>", 0o644)
    folder.write("a/tool.meta.json", { icons: [{ src: "./icon.svg" }] })
    const src = `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`
    expect(inspectTools(folder.path)).toMatchObject({ problems: [], tools: [{ icons: [{ src }] }] })
  })

  it("follows links that stay within it", () => {
    const folder = makeToolFolder()
    folder.write("a/tool.sh", script)
    folder.write("b/tool.meta.json", { description: "The same script" })
    symlinkSync("../a/tool.sh", folder.at("b/tool.sh"))
    expect(namesIn(folder.path)).toEqual(["a", "b"])
  })

  it("has the name and version of the project", () => {
    const folder = makeToolFolder()
    folder.write("tools/a/tool.sh", script)
    folder.write("server.d/server.meta.json", { name: "backups", title: "Backups", version: "2.0.0", website: 1 })
    const meta = { name: "backups", title: "Backups", version: "2.0.0" }
    expect(serverMetaOf(folder.path)).toEqual(meta)
    expect(serverMetaOf(folder.at("tools"))).toEqual(meta)
    folder.write("server.d/server.meta.json", "no JSON")
    expect(serverMetaOf(folder.path)).toEqual({})
  })
})

describe("a tool that cannot be used", () => {
  const problemsOf = (files: Readonly<Record<string, string | object>>, mode?: number) => {
    const folder = makeToolFolder()
    for (const [name, content] of Object.entries(files))
      folder.write(name, content, name.endsWith(".json") ? 0o644 : mode)
    const { tools, problems } = inspectTools(folder.path)
    return { names: tools.map(({ name }) => name), problems, at: folder.at }
  }

  it("is left out, and the problem has the command that makes it executable", () => {
    const { names, problems, at } = problemsOf({ "a b/tool.sh": script }, 0o644)
    expect(names).toEqual([])
    expect(problems).toEqual([
      { path: "a b/tool.sh", message: "is not executable.", suggestion: `Run: chmod +x '${at("a b/tool.sh")}'` },
    ])
  })

  it.each([
    ["names no interpreter", "echo hello\n", /begin with #!/],
    ["is empty", "", /is empty/],
    ["has lines that end in CRLF", "#!/bin/sh\r\necho\r\n", /CRLF/],
    ["has a comment that is not JSON", "#!/bin/sh\n# mcp: {name: 1}\n", /not JSON/],
  ])("is left out when its script %s", (_what, text, message) => {
    const { names, problems } = problemsOf({ "a/tool.sh": text })
    expect(names).toEqual([])
    expect(problems).toMatchObject([{ message: expect.stringMatching(message) }])
  })

  it.each([
    ["is not JSON", "{", "a/tool.meta.json", /is not JSON/],
    ["is a list", [], "a/tool.meta.json", /not a JSON object/],
    ["is longer than allowed", { description: "x".repeat(300_000) }, "a/tool.meta.json", /bytes/],
    ["has a name that is not allowed", { name: "../up" }, "a/tool.meta.json: name", /letters, digits/],
    ["has an empty name", { name: "" }, "a/tool.meta.json: name", /text/],
    [
      "has a schema whose type is not object",
      { inputSchema: { type: "string" } },
      "a/tool.meta.json: inputSchema",
      /object/,
    ],
    ["has a time that is not a number", { timeoutSecs: "soon" }, "a/tool.meta.json: timeoutSecs", /seconds/],
    ["has a time of zero", { timeoutSecs: 0 }, "a/tool.meta.json: timeoutSecs", /seconds/],
    [
      "has an output type that is not a media type",
      { holdpoint: { outputType: "image" } },
      "a/tool.meta.json: holdpoint.outputType",
      /image\/png/,
    ],
    ["has hints that clients refuse", { annotations: { readOnlyHint: "yes" } }, "a/tool.meta.json", /clients/],
    [
      "has an icon that does not exist",
      { icons: [{ src: "../../../../etc/a.png" }] },
      "a/tool.meta.json: icons",
      /does not exist/,
    ],
  ])("is left out when its metadata %s", (_what, metadata, path, message) => {
    const { names, problems } = problemsOf({ "a/tool.sh": script, "a/tool.meta.json": metadata, "b/tool.sh": script })
    expect(names).toEqual(["b"])
    expect(problems[0]).toMatchObject({ path, message: expect.stringMatching(message) })
  })

  it("is left out when a holdpoint setting is misspelt, and the problem suggests the right name", () => {
    const { problems } = problemsOf({ "a/tool.sh": script, "a/tool.meta.json": { holdpoint: { replayabel: true } } })
    const path = "a/tool.meta.json: holdpoint.replayabel"
    expect(problems).toEqual([{ path, message: "is not a known field.", suggestion: "Did you mean replayable?" }])
  })

  it("is left out with all others of the same name", () => {
    const files = { "a/tool.sh": script, "b/tool.sh": script, "b/tool.meta.json": { name: "a" }, "c/tool.sh": script }
    const { names, problems } = problemsOf(files)
    expect(names).toEqual(["c"])
    expect(problems).toMatchObject([{ path: "a/tool.sh and b/tool.sh", message: expect.stringContaining("“a”") }])
  })

  it("is left out when its folder has two possible programs", () => {
    const { names, problems } = problemsOf({ "a/tool.sh": script, "a/tool.py": "#!/usr/bin/env python3\n" })
    expect(names).toEqual([])
    expect(problems).toMatchObject([{ path: "a", message: expect.stringContaining("tool.py and tool.sh") }])
  })

  it("is a note when its script has no folder of its own, and a problem when its metadata has no script", () => {
    const folder = makeToolFolder()
    folder.write("root.sh", script)
    folder.write("a/tool.meta.json", {})
    const { problems, notes } = inspectTools(folder.path)
    expect(notes).toMatchObject([{ path: "root.sh", suggestion: "Move it to root/tool.sh." }])
    expect(problems).toMatchObject([{ path: "a/tool.meta.json", message: "has no script beside it." }])
  })
})
