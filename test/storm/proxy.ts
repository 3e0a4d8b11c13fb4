// A proxy in front of the nodes, without sticky sessions: each request goes to the next node. A request that reached no node
// goes to another one; what happened to one whose connection broke is unknown, and the client gets 502.

import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import type { Random } from "./random.ts"

export interface StormProxy {
  readonly url: string
  readonly requests: number
  /** The ports of the nodes, before the first request. */
  aim(ports: readonly number[]): void
  /** Cuts some of the connections that are open now, and returns how many. */
  cut(random: Random, share: number): number
  close(): void
}

export async function openProxy(): Promise<StormProxy> {
  let ports: readonly number[] = []
  let nextNode = 0
  let requests = 0
  const exchanges = new Set<() => void>()

  function forward(request: IncomingMessage, response: ServerResponse, body: Buffer, tries: number): void {
    const port = ports[nextNode++ % ports.length]
    const { method, url, headers } = request
    const upstream = send({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      response.flushHeaders()
      answer.pipe(response)
      // Without its end, so that the client notices that the body is not whole.
      answer.once("close", () => answer.complete || response.destroy())
    })
    const cut = (): void => {
      upstream.destroy()
      response.destroy()
    }
    exchanges.add(cut)
    response.once("close", () => {
      exchanges.delete(cut)
      upstream.destroy()
    })
    upstream.on("error", (error: NodeJS.ErrnoException) => {
      if (response.headersSent || response.destroyed) return void response.destroy()
      exchanges.delete(cut)
      if (error.code === "ECONNREFUSED" && tries < ports.length) return forward(request, response, body, tries + 1)
      response.writeHead(error.code === "ECONNREFUSED" ? 503 : 502, { "x-storm": "proxy" }).end()
    })
    upstream.end(body)
  }

  const server = createServer(async (request, response) => {
    requests++
    const pieces: Buffer[] = []
    try {
      for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
    } catch {
      return void response.destroy()
    }
    forward(request, response, Buffer.concat(pieces), 1)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests
    },
    aim(nodes) {
      ports = nodes
    },
    cut(random, share) {
      const chosen = [...exchanges].filter(() => random.chance(share))
      for (const cut of chosen) cut()
      return chosen.length
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
