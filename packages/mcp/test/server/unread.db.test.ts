// A result that the client's connection took and the client never read: what the server can know of it, and what not.

import { connect, type Socket } from "node:net"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { dropSchemas, openScene } from "./crash/scene.ts"

afterAll(dropSchemas)

const revision = "2025-11-25"

/** One request over a socket of its own, which reads only where `isReading`. */
function send(url: string, message: object, { session = "", isReading = true } = {}) {
  const { hostname, port, pathname, host } = new URL(url)
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  const socket: Socket = connect(Number(port), hostname)
  let received = ""
  if (isReading) socket.on("data", (data) => (received += data))
  else socket.pause()
  socket.on("error", () => {})
  const headers = [
    ...[`host: ${host}`, "content-type: application/json", "accept: application/json, text/event-stream"],
    ...[`mcp-protocol-version: ${revision}`, `content-length: ${Buffer.byteLength(body)}`],
    ...(session === "" ? [] : [`mcp-session-id: ${session}`]),
  ]
  const sent = new Promise<void>((resolve) => {
    socket.write(`POST ${pathname} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`, () => resolve())
  })
  return { socket, sent, received: () => received }
}

async function openSession(url: string): Promise<string> {
  const clientInfo = { name: "raw", version: "1" }
  const params = { protocolVersion: revision, capabilities: {}, clientInfo }
  const { socket, received } = send(url, { id: 1, method: "initialize", params })
  await until(() => /mcp-session-id: \S+/i.test(received()))
  socket.destroy()
  return /mcp-session-id: (\S+)/i.exec(received())?.[1] ?? ""
}

const charge = (id: number, order: string) => ({
  ...{ id, method: "tools/call", params: { name: "charge", arguments: { id: order } } },
})

describe("a result of a client of 2025-11-25", () => {
  async function openStage() {
    const scene = await openScene("SQLite")
    const server = await scene.start()
    const session = await openSession(server.url)
    const sockets: Socket[] = []
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await scene.close()
    })
    const call = (id: number, { isReading = true, order = "7" } = {}) => {
      const sent = send(server.url, charge(id, order), { session, isReading })
      sockets.push(sent.socket)
      return sent
    }
    return { scene, call }
  }

  it("that its closed connection did not take is returned to the same call, and its effect is done once", async () => {
    const { scene, call } = await openStage()
    const lost = call(2)
    await until(() => scene.deeds().length === 1)
    lost.socket.destroy()
    await until(() => scene.isUnheard())
    const again = call(3)
    scene.letGo()
    await until(() => again.received().includes("Charged 7."))
    expect(scene.deeds()).toEqual(["charged 7"])
  })

  it("that its open connection took counts as delivered, although it was never read", async () => {
    const { scene, call } = await openStage()
    call(2, { isReading: false })
    await until(() => scene.deeds().length === 1)
    expect(await scene.hasCalls()).toBe(true)
    scene.letGo()
    await until(async () => !(await scene.hasCalls()))
    const again = call(3)
    await until(() => again.received().includes("Charged 7."))
    expect(scene.deeds()).toEqual(["charged 7", "charged 7"])
  })

  it("that its client gives up right after the connection took it counts as delivered, and the same call is a new one", async () => {
    const { scene, call } = await openStage()
    const lost = call(2, { isReading: false })
    await until(() => scene.deeds().length === 1)
    scene.letGo()
    await until(async () => !(await scene.hasCalls()))
    lost.socket.destroy()
    const again = call(3)
    await until(() => again.received().includes("Charged 7."))
    expect(scene.deeds()).toEqual(["charged 7", "charged 7"])
  })

  it("whose client gives up at any moment around the end of the effect is returned once, or the effect is done again", async () => {
    const { scene, call } = await openStage()
    scene.letGo()
    const kept: number[] = []
    for (let round = 0; round < 12; round++) {
      const order = `order ${round}`
      const first = call(2 * round, { order })
      await first.sent
      // Some of them right after the effect, the others a few milliseconds after the request.
      if (round % 3 === 0) await until(() => scene.deeds().includes(`charged ${order}`))
      else await new Promise((resolve) => setTimeout(resolve, round / 2))
      first.socket.destroy()
      const wasRead = first.received().includes("Charged")
      await until(() => scene.deeds().includes(`charged ${order}`))
      const again = call(2 * round + 1, { order })
      await until(() => again.received().includes(`Charged ${order}.`))
      const times = scene.deeds().filter((deed) => deed === `charged ${order}`).length
      expect(times, `effects of ${order}`).toBeLessThanOrEqual(2)
      if (wasRead) expect(times, "a call after a result that was read").toBe(2)
      if (times === 1) kept.push(round)
    }
    expect(kept, "the calls whose result was kept").not.toEqual([])
  })
})
