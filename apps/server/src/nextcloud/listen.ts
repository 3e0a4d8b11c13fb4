// A port of this machine, taken before anybody knows what will be served at it. By node:net: importing node:http takes
// longer than a client should wait for a server to start.

import type { Server as HttpServer } from "node:http"
import { createServer, type Server } from "node:net"

/** 0 is any that is free. */
export function takePort(wanted = 0): Promise<Server> {
  // Nobody was told of it yet.
  const port = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    port.once("error", reject)
    port.listen(wanted, "127.0.0.1", () => {
      port.off("error", reject)
      resolve(port)
    })
  })
}

/** From now on, whoever comes to the port comes to this server. */
export function listenAt(port: Server, http: HttpServer): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject)
    http.listen(port, () => {
      http.off("error", reject)
      resolve()
    })
  })
}
