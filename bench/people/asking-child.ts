// A client in a child process that asks over HTTP as cheaply as possible: it sends the same bytes repeatedly over open
// sockets, so that the server limits the rate.

import { connect } from "node:net"
import { serve } from "../child.ts"
import { ratePerSecond } from "../measure.ts"

export interface AskingOrder {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly concurrency: number
  readonly ms: number
}

const commands = {
  /** Asks repeatedly, and returns the answered questions per second. */
  async ask({ url, key, body, concurrency, ms }: AskingOrder): Promise<number> {
    const { host, hostname, port } = new URL(url)
    const head = ["POST /api/questions HTTP/1.1", `host: ${host}`, `authorization: Bearer ${key}`]
    const length = `content-length: ${Buffer.byteLength(body)}`
    const request = Buffer.from(`${[...head, "content-type: application/json", length].join("\r\n")}\r\n\r\n${body}`)
    const askers = await Promise.all(Array.from({ length: concurrency }, () => openAsker(Number(port), hostname)))
    const rate = await ratePerSecond((worker) => askers[worker]?.ask(request) ?? Promise.resolve(), { concurrency, ms })
    for (const asker of askers) asker.close()
    return rate
  },
}

export type AskingCommands = typeof commands

serve(commands, async () => {})

interface Asker {
  ask(request: Buffer): Promise<void>
  close(): void
}

/** Opens one connection. A response counts when it has arrived completely, according to its content-length. */
async function openAsker(port: number, host: string): Promise<Asker> {
  const socket = connect(port, host).setNoDelay(true)
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject))
  let received = ""
  let waiting: { resolve(): void; reject(error: Error): void } | undefined
  const fail = (why: string): void => waiting?.reject(new Error(why))
  socket.on("error", (error) => fail(error.message))
  socket.on("close", () => fail("The server closed the connection."))
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
    const end = received.indexOf("\r\n\r\n")
    if (end < 0) return
    if (!received.startsWith("HTTP/1.1 201 ")) return fail(received.slice(0, 100))
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1])
    if (received.length < end + 4 + length) return
    received = ""
    waiting?.resolve()
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}
