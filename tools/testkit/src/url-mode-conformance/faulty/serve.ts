// Serves a faulty server on a port of this machine, for programs that need an address.

import type { Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import type { Behaviour } from "./behaviour.ts"
import { faultyTarget } from "./server.ts"

export interface RunningServer {
  readonly url: string
  close(): void
}

export async function serveFaulty(fault: Partial<Behaviour> = {}): Promise<RunningServer> {
  const { fetch } = faultyTarget(fault)
  const listener = getRequestListener((request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers, body } = request
    return fetch(`http://127.0.0.1:4000${pathname}${search}`, { method, headers, body, duplex: "half" } as RequestInit)
  })
  const server: Server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The command's flags for a faulty server. */
export const flags: readonly string[] = [
  ...["--tool", "connect", "--args", '{"account":"notes"}', "--form-tool", "greet", "--done", "connected"],
  ...["--token", "token-of-the-first", "--second-token", "token-of-the-second", "--look", "1s", "--timeout", "2s"],
]
