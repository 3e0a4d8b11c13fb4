// An author's mistakes are reported when the server is created, not by refused requests later.

import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { alice } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { describe, expect, it } from "vitest"
import type { McpOptions } from "../../../src/server/index.ts"
import { createMcp } from "../../../src/server/index.ts"

async function make(settings: Partial<McpOptions>): Promise<void> {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const server = () => new McpServer({ name: "setup", version: "1" })
  try {
    await createMcp({
      ...{ hub, storage, server, keys: withNewKey(), name: "setup", callers: "anonymous", addresses: "none" },
      ...settings,
    }).close()
  } finally {
    await hub.close()
    await storage.close()
  }
}

describe("createMcp", () => {
  it.each<[string, Partial<McpOptions>]>([
    ["hosts", { hosts: ["mcp.example:8080"] }],
    ["hosts", { hosts: ["https://mcp.example"] }],
    ["origins", { origins: ["https://app.example/"] }],
    ["origins", { origins: ["app.example"] }],
    ["lifetimeMs", { lifetimeMs: Number.NaN }],
    ["lifetimeMs", { lifetimeMs: 0 }],
    ["holdMs", { holdMs: 60_000 }],
  ])("says that %s cannot be used: %j", async (path, settings) => {
    await expect(make(settings)).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(path),
    })
  })

  verifies(
    "mcp.page-or-none",
    "requires addresses of pages, or an explicit none, for clients that cannot be asked",
    async () => {
      // Options as written by an author without a type checker.
      const forgotten = { addresses: undefined, callers: { local: alice } } as unknown as Partial<McpOptions>
      await expect(make(forgotten)).rejects.toMatchObject({
        code: "invalid_config",
        message: expect.stringMatching(/addresses .*cannot be asked.*createAddresses\(publicUrl\).*"none"/),
      })
      await make({ addresses: "none", callers: { local: alice } })
    },
  )

  it("accepts host names, addresses and origins as users write them", async () => {
    await make({
      ...{ addresses: createAddresses("https://hub.example/holdpoint/"), hosts: ["mcp.example", "[::1]", "10.0.0.1"] },
      ...{ origins: ["https://app.example", "http://localhost:3000"], lifetimeMs: 1_000 },
    })
  })
})
