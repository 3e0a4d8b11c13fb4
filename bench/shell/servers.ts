// The server of scripts on SQLite, over HTTP on this machine.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createAddresses, createHub, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp } from "@holdpoint/mcp"
import type { ShellTool } from "@holdpoint/shell"
import { createShellServer } from "@holdpoint/shell"
import type { Bench } from "../bench.ts"
import { newStoreLocation, openStorage, removeStoreLocation } from "../core/store-locations.ts"
import type { Endpoint } from "../mcp/client.ts"
import { listen } from "../mcp/http.ts"

export interface ShellHouse {
  readonly endpoint: Endpoint
  close(): Promise<void>
}

export async function openShellHouse(bench: Bench, tools: readonly ShellTool[]): Promise<ShellHouse> {
  const location = await newStoreLocation(bench, "sqlite")
  const storage = await openStorage(location)
  const hub = createHub({ storage, outlets: [inbox()], limits: { pendingPerPerson: 1e9, pendingPerTenant: 1e9 } })
  const report = (doing: string, error: unknown): never => {
    throw new Error(`The server failed in ${doing}.`, { cause: error })
  }
  const find = (name: string): ShellTool | undefined => tools.find((tool) => tool.name === name)
  const catalogue = { tools: () => tools, find, problems: () => [], onChange: () => () => {}, close() {} }
  const shell = createShellServer({
    ...{ name: "bench", version: "0", catalogue, hasPages: true, hasLocalClients: false, report },
    ...{ env: process.env, passEnvironment: [] },
  })
  const mcp = createMcp({
    ...{ hub, storage, keys: withNewKey(), addresses: createAddresses("http://127.0.0.1"), report, name: "bench" },
    ...{ accessTools: false, strict: false, hosts: ["127.0.0.1"], server: shell.server, bus: shell.bus },
    callers: { local: { tenant: "local", issuer: "https://id.example", subject: "person" } },
  })
  const http = await listen(mcp.fetch)
  return {
    endpoint: { url: http.url, token: "" },
    async close() {
      http.close()
      await shell.close()
      await mcp.close()
      await hub.close()
      await storage.close()
      await removeStoreLocation(location)
    },
  }
}

export function writeTool(root: string, name: string, script: string): ShellTool {
  const folder = join(root, name)
  const program = join(folder, "tool.sh")
  mkdirSync(folder, { recursive: true })
  writeFileSync(program, script)
  chmodSync(program, 0o700)
  return {
    ...{ name, description: name, inputSchema: { type: "object" }, program, folder, root },
    ...{ progressExtendsTimeout: false, replayable: false, metadata: "{}" },
  }
}
