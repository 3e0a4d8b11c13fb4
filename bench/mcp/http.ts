// Serves a web request handler on a port of this machine.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import type { Serve } from "./servers.ts"

export async function listen(serve: Serve): Promise<{ readonly url: string; close(): void }> {
  const http = createServer(getRequestListener(serve))
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close() {
      http.close()
      http.closeAllConnections()
    },
  }
}
