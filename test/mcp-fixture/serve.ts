// Serves the fixture on this machine at /mcp, with storage in memory, for every caller.

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp } from "@holdpoint/mcp"
import { getRequestListener } from "@hono/node-server"
import { createFixture } from "./server.ts"
import { ownState } from "./tools/direct.ts"
import { changes } from "./tools/notify.ts"

export interface ServedFixture {
  readonly url: string
  close(): Promise<void>
}

export async function serveFixture(port: number): Promise<ServedFixture> {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const mcp = createMcp({
    hub,
    storage,
    keys: withNewKey(),
    name: "fixture",
    callers: "anonymous",
    addresses: "none",
    server: createFixture,
    ownState,
    bus: changes,
  })
  const http = createServer(
    getRequestListener((request) =>
      new URL(request.url).pathname === "/mcp" ? mcp.fetch(request) : new Response("It is at /mcp.", { status: 404 }),
    ),
  )
  await listen(http, port)
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.close()
      http.closeAllConnections()
      await mcp.close()
      await hub.close()
    },
  }
}

function listen(http: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject)
    http.listen(port, "127.0.0.1", () => resolve())
  })
}
