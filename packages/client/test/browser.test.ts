// The entries for browsers run in browsers: their bundles contain no Node module and no package.

import { fileURLToPath } from "node:url"
import { verifies } from "@holdpoint/testkit/verifies"
import { rolldown } from "rolldown"
import { describe, expect, it } from "vitest"

/** The modules of a bundle for browsers, and what it leaves to be found at run time. */
async function bundle(entry: string) {
  const input = fileURLToPath(import.meta.resolve(entry))
  const bundled = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await bundled.generate({ format: "esm" })
  await bundled.close()
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  const imports = output.flatMap((file) => (file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : []))
  return { modules: modules.map((path) => path.replace(/^.*\/packages\//, "")), imports }
}

describe("bundled for a browser", () => {
  verifies("client.runs-in-browsers", "the client consists only of its own files", async () => {
    const { modules, imports } = await bundle("@holdpoint/client")
    expect(imports).toEqual([])
    expect(modules.filter((path) => !path.startsWith("client/src/"))).toEqual([])
    expect(modules).toContain("client/src/reply.ts")
  })

  it("agents as models of the AI SDK consist only of their own files and the client", async () => {
    const { modules, imports } = await bundle("@holdpoint/agents/ai-sdk")
    expect(imports).toEqual([])
    expect(modules.filter((path) => !/^(?:client\/src|agents\/src\/ai-sdk)\//.test(path))).toEqual([])
  })

  it("events of streams and their schema consist only of files of core", async () => {
    const { modules, imports } = await bundle("@holdpoint/hub/stream")
    expect(imports).toEqual([])
    expect(modules.filter((path) => !path.startsWith("hub/src/core/") && path !== "hub/src/stream.ts")).toEqual([])
  })

  it("an import of a Node module is detected", async () => {
    expect((await bundle("@holdpoint/hub/sqlite")).imports).toContain("node:sqlite")
  })
})
