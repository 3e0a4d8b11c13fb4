// Adds the tools of access-tools.ts for clients that do not support elicitation. Other clients do not see them in the
// list.

import { HoldpointError } from "@holdpoint/hub"
import type { McpServer, McpServerFactory, Server } from "@modelcontextprotocol/server"
import { McpServer as SdkMcpServer, Server as SdkServer } from "@modelcontextprotocol/server"
import type { McpOptions } from "./settings.ts"
import type { Surface } from "./surface.ts"
import { connections } from "./surface.ts"

/** Wraps the author's factory: servers for clients that do not support elicitation get the access tools. */
export function withAccessTools(
  surface: Surface,
  { server: factory, accessTools = true }: McpOptions,
): McpServerFactory {
  const { vault } = surface
  const createServer: McpServerFactory = async (context) => assertServer(await factory(context))
  if (vault === undefined || !accessTools) return createServer
  return async (context) => {
    const product = await createServer(context)
    const connection = connections.getStore()
    const principal = connection?.caller.principal
    if (connection === undefined || principal === undefined || !isMcpServer(product)) return product
    const client = connection.client()
    if (client.form || client.url) return product
    const { addAccessTools } = await import("./access-tools.ts")
    addAccessTools(product, surface, vault, principal)
    return product
  }
}

/** Throws when the server comes from another version or another copy of the SDK, which this one cannot serve. */
function assertServer(product: McpServer | Server): McpServer | Server {
  if (product instanceof SdkMcpServer || product instanceof SdkServer) return product
  throw new HoldpointError(
    "invalid_config",
    "`server` of createMcp did not return a server of @modelcontextprotocol/server 2.x, but perhaps a server of " +
      "@modelcontextprotocol/sdk 1.x, or of a second copy. Import McpServer from “@modelcontextprotocol/server”, which " +
      "has registerTool, registerPrompt and registerResource as before, and install it once beside @holdpoint/hub.",
  )
}

const isMcpServer = (product: McpServer | Server): product is McpServer => "registerTool" in product
