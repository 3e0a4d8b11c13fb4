// A proxy of bytes between the nodes and their database, which can cut connections.

import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { Random } from "./random.ts"

export interface TcpProxy {
  readonly port: number
  /** Cuts some of the connections, and returns how many. */
  cut(random: Random, share: number): number
  close(): void
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: "127.0.0.1", port: target, noDelay: true })
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) socket.on("error", end).on("close", end)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut(random, share) {
      const chosen = [...pairs].filter(() => random.chance(share))
      for (const [client, upstream] of chosen) for (const socket of [client, upstream]) socket.resetAndDestroy()
      return chosen.length
    },
    close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}
