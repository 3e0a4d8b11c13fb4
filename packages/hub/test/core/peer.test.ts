// A missing optional package is reported with the command that installs it; any other error is passed on unchanged.

import { describe, expect, it } from "vitest"
import { loadPeer } from "../../src/core/peer.ts"

const missing = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/node_modules/x/index.js`), {
    code: "ERR_MODULE_NOT_FOUND",
  })

describe("loadPeer", () => {
  it("returns the loaded module", async () => {
    expect(await loadPeer("pg", async () => ({ loaded: true }))).toEqual({ loaded: true })
  })

  it("names the command that installs a missing package", async () => {
    const loading = loadPeer("pg", () => Promise.reject(missing("pg")))
    await expect(loading).rejects.toMatchObject({
      code: "invalid_config",
      message: "This needs the package pg, which is not installed. Run: npm install pg",
    })
  })

  it.each([
    ["another package that is missing inside it", missing("pg-types")],
    ["a fault while it is loaded", new Error("Cannot find package 'pg'")],
  ])("passes on %s", async (_, fault) => {
    await expect(loadPeer("pg", () => Promise.reject(fault))).rejects.toBe(fault)
  })
})
