// A port that is listened on at once, whatever will answer there: requests wait for it. By node:net, since importing
// node:http takes longer than a client should wait for a server to start; it is loaded with the first connection.

import type { Server as HttpServer } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { setImmediate } from "node:timers/promises"

export interface Place {
  readonly host: string
  /** 0 is any that is free. */
  readonly port: number
}

export type Answer = (request: Request) => Promise<Response>

export interface Listening {
  /** As browsers write it. */
  readonly address: string
  /** Takes no new connections, does what is to be done while the last are answered, and ends those that are left. */
  close(meanwhile?: () => Promise<void>): Promise<void>
}

/** `answer` is called for each request. While it is awaited the request waits, and when it rejects, is told so. */
export async function listen({ host, port }: Place, answer: () => Promise<Answer>): Promise<Listening> {
  const early = new Set<Socket>()
  let opening: Promise<HttpServer> | undefined
  const listener = createServer((socket) => {
    early.add(socket)
    opening ??= openHttp()
  })
  const openHttp = async (): Promise<HttpServer> => {
    const { createHttp } = await import("./http.ts")
    const http = createHttp(answer)
    // From here on connections come to it; those that came before are handed over.
    await listening(http, () => http.listen(listener))
    for (const socket of early) http.emit("connection", socket)
    early.clear()
    return http
  }
  await listening(listener, () => listener.listen(port, host))
  return {
    address: addressOf(listener, host),
    async close(meanwhile = async () => {}) {
      const http = await opening
      const closed = new Promise<void>((resolve) => (http ?? listener).close(() => resolve()))
      await meanwhile()
      // What was said just now goes out. Server events stay open as long as their page: they keep nothing from ending.
      await setImmediate()
      http?.closeAllConnections()
      await closed
    },
  }
}

function listening(server: Server, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.once("listening", () => {
      server.off("error", reject)
      resolve()
    })
    begin()
  })
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  // Without the port where it is the usual one.
  return new URL(`http://${toHost(host)}:${port}`).origin
}

export const toHost = (host: string): string => (host.includes(":") ? `[${host}]` : host)
