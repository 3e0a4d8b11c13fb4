// A port for a program that a test starts in another process, which listens on it about a second later.

import { once } from "node:events"
import { createServer } from "node:net"

/**
 * Below the ports that systems give to outgoing connections and to servers on port 0, so that none of the run's other
 * programs can take it in the meantime. Each worker has a part of its own.
 */
const firstPort = 20_000
const portsPerWorker = 1_000
const firstOfWorker = firstPort + (Number(process.env.VITEST_POOL_ID ?? 0) % 12) * portsPerWorker
// Two runs on one machine begin at different ports.
let next = Math.floor(Math.random() * portsPerWorker)

/** Returns a port that is free now, and a different one each time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < portsPerWorker; attempt++) {
    const port = firstOfWorker + (next++ % portsPerWorker)
    if (await isFree(port)) return port
  }
  throw new Error(`The ports ${firstOfWorker} to ${firstOfWorker + portsPerWorker - 1} are all taken.`)
}

/** Whether no program listens on the port now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false
    throw error
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
