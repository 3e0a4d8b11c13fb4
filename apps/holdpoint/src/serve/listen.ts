// Listens on a port immediately; early requests wait for the handler. Uses node:net, because importing node:http takes
// longer than a client should wait for a server to start. The first connection imports node:http.

import type { Server as HttpServer } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { setImmediate } from "node:timers/promises"

export interface ListenAddress {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
}

export type Answer = (request: Request) => Promise<Response>

export interface Listening {
  /** The origin, as browsers write it. */
  readonly address: string
  /** Stops accepting connections, runs `meanwhile` while the last requests are answered, and closes what is left. */
  close(meanwhile?: () => Promise<void>): Promise<void>
}

/**
 * `answer` is called for each request and resolves to the handler. The request waits for it; a rejection becomes a 503.
 */
export async function listen({ host, port }: ListenAddress, answer: () => Promise<Answer>): Promise<Listening> {
  const earlySockets = new Set<Socket>()
  let opening: Promise<HttpServer> | undefined
  // Without `noDelay`, as for a server of node:http, each small part of a response waits for an acknowledgement.
  const listener = createServer({ noDelay: true }, (socket) => {
    earlySockets.add(socket)
    opening ??= openHttp()
  })
  const openHttp = async (): Promise<HttpServer> => {
    const { createHttp } = await import("./http.ts")
    const http = createHttp(answer)
    // From here on the HTTP server accepts connections; the early ones are handed over.
    await untilListening(http, () => http.listen(listener))
    for (const socket of earlySockets) http.emit("connection", socket)
    earlySockets.clear()
    return http
  }
  await untilListening(listener, () => listener.listen(port, host))
  return {
    address: addressOf(listener, host),
    async close(meanwhile = async () => {}) {
      const http = await opening
      const closed = new Promise<void>((resolve) => (http ?? listener).close(() => resolve()))
      await meanwhile()
      // Lets responses that were just written go out first. Then cuts off event streams, which last as long as their
      // page.
      await setImmediate()
      http?.closeAllConnections()
      await closed
    },
  }
}

function untilListening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.once("listening", () => {
      server.off("error", reject)
      resolve()
    })
    start()
  })
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  // `URL` omits the default port.
  return new URL(`http://${toHost(host)}:${port}`).origin
}

export const toHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)
