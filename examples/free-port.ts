// A port for a program that listens on it a little later.

import { once } from "node:events"
import { createServer } from "node:net"

/** Below the ports that systems give to outgoing connections, so that none of them takes it in the meantime. */
const [first, count] = [10_000, 10_000]

/** Finds a free port on this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count)
    const probe = createServer().listen(port, "127.0.0.1")
    try {
      await once(probe, "listening")
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    } finally {
      await new Promise((resolve) => probe.close(resolve))
    }
  }
}
