// A database server that goes away and comes back, as its clients see it: a port that leads to the real server, and that
// can be closed with all its connections.

import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

export interface DatabaseDoor {
  /** The address of the database behind this door. */
  readonly url: string
  open(): Promise<void>
  /** Cuts all connections, and refuses new ones until it is opened again. */
  close(): Promise<void>
}

/** Leads to the database of this address when it is opened. `onSent` is called when a client has sent something. */
export function createDoor(databaseUrl: string, port: number, onSent?: () => void): DatabaseDoor {
  const { hostname, port: realPort } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on("error", () => to.destroy())
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
    from.pipe(to)
  }
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href,
    async open() {
      server = createServer((client) => {
        const database = connect(Number(realPort || 5432), hostname)
        if (onSent !== undefined) client.on("data", onSent)
        join(client, database)
        join(database, client)
      })
      server.listen(port, "127.0.0.1")
      await once(server, "listening")
    },
    async close() {
      const closing = server
      server = undefined
      if (closing === undefined) return
      const closed = once(closing, "close")
      closing.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
