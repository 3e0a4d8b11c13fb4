// Creates the MCP server for the scripts of a folder. Used over stdio, over HTTP and by `holdpoint shell run`.

import { type Callers, createMcp, type Mcp, type McpOptions } from "@holdpoint/mcp"
import type { Site } from "@holdpoint/server"
import { createCatalogue, createShellServer } from "@holdpoint/shell"
import type { Call } from "../command.ts"
import { version } from "../version.ts"
import type { Plan } from "./plan.ts"

/** The composed parts that the server for scripts uses. */
export interface ScriptsCore
  extends Pick<Site, "addresses" | "storage" | "keys" | "hub" | "vault" | "runtime" | "report"> {
  readonly callers: Callers
}

/**
 * Creates the MCP server of the folder. `instance` is set for a server that ends with its client, while other clients
 * run their own servers on the same database. `close` ends all scripts first, so that their callers still get the
 * error.
 */
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
