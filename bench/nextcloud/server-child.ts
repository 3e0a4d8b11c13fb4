// A process with both servers, each on its own port.

import { serve } from "../child.ts"
import type { StoreLocation } from "../core/store-locations.ts"
import type { Endpoint } from "../mcp/client.ts"
import { listen } from "../mcp/http.ts"
import { openServers } from "./servers.ts"
import type { Cloud } from "./stand-in-child.ts"

const open: (() => unknown)[] = []

const commands = {
  async open(options: {
    location: StoreLocation
    cloud: Cloud
  }): Promise<{ readonly bare: Endpoint; readonly ours: Endpoint }> {
    const servers = await openServers(options)
    const [bare, ours] = [await listen(servers.bare), await listen(servers.ours)]
    open.push(bare.close, ours.close, servers.close)
    const { token } = servers
    return { bare: { url: bare.url, token }, ours: { url: ours.url, token } }
  },
}

export type ServerCommands = typeof commands

serve(commands, async () => {
  for (const close of open) await close()
})
