// Which clients get the tools of access-tools.ts: those that cannot be asked anything. Nobody else sees them in the list.

import type { McpServer, McpServerFactory, Server } from "@modelcontextprotocol/server"
import type { McpOptions } from "./settings.ts"
import type { Surface } from "./surface.ts"
import { connections } from "./surface.ts"

/** The author's factory; what it makes gets the tools where they are of use. */
export function withAccessTools(
  surface: Surface,
  { server: factory, accessTools = true }: McpOptions,
): McpServerFactory {
  const { vault } = surface
  if (vault === undefined || !accessTools) return factory
  return async (context) => {
    const product = await factory(context)
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

const isMcpServer = (product: McpServer | Server): product is McpServer => "registerTool" in product
