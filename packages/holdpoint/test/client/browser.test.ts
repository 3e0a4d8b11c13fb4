// What programs in browsers import runs there: bundling it pulls in nothing of Node, and no package.

import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { describe, expect, it } from "vitest"
import { verifies } from "../verifies.ts"

/** The modules of a bundle for browsers, and what it leaves to be found at run time. */
async function bundle(entry: string) {
  const input = fileURLToPath(import.meta.resolve(`@holdpoint/sdk/${entry}`))
  const bundled = await rolldown({ input, platform: "browser", logLevel: "silent" })
  const { output } = await bundled.generate({ format: "esm" })
  await bundled.close()
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
  const imports = output.flatMap((file) => (file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : []))
  return { modules: modules.map((path) => path.replace(/^.*\/packages\/holdpoint\/src\//, "")), imports }
}

describe("bundled for a browser", () => {
  verifies("client.runs-in-browsers", "the client is its own files alone", async () => {
    const { modules, imports } = await bundle("client")
    expect(imports).toEqual([])
    expect(modules.filter((path) => !path.startsWith("client/"))).toEqual([])
    expect(modules).toContain("client/reply.ts")
  })

  it("agents as models of the AI SDK are the client and their own files alone", async () => {
    const { modules, imports } = await bundle("ai-sdk")
    expect(imports).toEqual([])
    expect(modules.filter((path) => !/^(?:client|ai-sdk)\//.test(path))).toEqual([])
  })

  it("events of streams and their schema are files of core alone", async () => {
    const { modules, imports } = await bundle("stream")
    expect(imports).toEqual([])
    expect(modules.filter((path) => !path.startsWith("core/") && path !== "stream.ts")).toEqual([])
  })

  it("an import of a Node module would be seen", async () => {
    expect((await bundle("sqlite")).imports).toContain("node:sqlite")
  })
})
