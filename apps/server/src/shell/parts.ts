// What stdio, HTTP and `run` have in common: the tools of the folder behind an MCP server, and what is composed with it.

import type { Site } from "@holdpoint/sdk/compose"
import { type Callers, createMcp, type Mcp, type McpOptions } from "@holdpoint/sdk/mcp"
import { createCatalogue, createShellServer } from "@holdpoint/shell"
import type { Call } from "../command.ts"
import { version } from "../version.ts"
import type { Plan } from "./plan.ts"

/** What the server for scripts needs of the composed parts. */
export interface ScriptsCore
  extends Pick<Site, "addresses" | "storage" | "keys" | "hub" | "vault" | "runtime" | "report"> {
  readonly callers: Callers
}

/**
 * The MCP server of the folder. `instance` is set for a server that ends with its client: other clients have their own,
 * on the same database. Its `close` ends all scripts first: their callers get to know it. */
export function createScriptsMcp(call: Call, plan: Plan, core: ScriptsCore & Pick<McpOptions, "instance">): Mcp {
  const { folder, name, server, limits, passEnvironment, hasPages } = plan
  const { report } = core
  const catalogue = createCatalogue(folder)
  const shell = createShellServer({
    ...{
      name: server.name ?? "holdpoint-shell",
      version: server.version ?? version(),
      catalogue,
      hasPages,
      hasLocalClients: core.instance !== undefined,
      limits,
      passEnvironment,
      report,
    },
    env: call.io.env,
  })
  const mcp = createMcp({
    ...core,
    ...{ name, accessTools: false, strict: false, server: shell.server, bus: shell.bus },
    ...(limits.askWithinMs === undefined ? {} : { lifetimeMs: limits.askWithinMs }),
    ...(hasPages ? {} : { addresses: "none" as const }),
  })
  return {
    ...mcp,
    async close() {
      catalogue.close()
      await shell.close()
      await mcp.close()
    },
  }
}
