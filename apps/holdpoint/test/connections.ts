// Requests on the first connection to a server of ours, which opens its port, and on the second. Each response is a
// stream of several parts, like that of a held call: with Nagle's algorithm on, each waits for an acknowledgement.

import { Agent, request } from "node:http"
import { setImmediate } from "node:timers/promises"
import { listen } from "../src/serve/listen.ts"

const requestCount = 8
const partCount = 3

/** The milliseconds of each request on the first and on the second connection, without the one that opened it. */
export async function timeConnections(): Promise<{ readonly first: number[]; readonly second: number[] }> {
  const server = await listen({ host: "127.0.0.1", port: 0 }, async () => async () => respond())
  try {
    const first = await timeOne(server.address)
    return { first, second: await timeOne(server.address) }
  } finally {
    await server.close()
  }
}

async function timeOne(url: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let sent = 0; sent <= requestCount; sent++) {
    const begin = performance.now()
    await send(url, agent)
    if (sent > 0) times.push(performance.now() - begin)
  }
  agent.destroy()
  return times
}

const send = (url: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: "POST" }, (response) => response.resume().on("end", resolve))
    sent.on("error", reject).end("{}")
  })

function respond(): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let part = 0; part < partCount; part++) {
        controller.enqueue(encoder.encode(`data: ${part}\n\n`))
        await setImmediate()
      }
      controller.close()
    },
  })
  return new Response(body, { headers: { "content-type": "text/event-stream" } })
}
