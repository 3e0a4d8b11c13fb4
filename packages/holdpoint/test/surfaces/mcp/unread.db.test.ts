// A result that the client's connection took and the client never read: what the server can know of it, and what not.

import { connect, type Socket } from "node:net"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { until } from "./behaviour/house.ts"
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
  socket.write(`POST ${pathname} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`)
  return { socket, received: () => received }
}

async function openSession(url: string): Promise<string> {
  const clientInfo = { name: "raw", version: "1" }
  const params = { protocolVersion: revision, capabilities: {}, clientInfo }
  const { socket, received } = send(url, { id: 1, method: "initialize", params })
  await until(() => /mcp-session-id: \S+/i.test(received()))
  socket.destroy()
  return /mcp-session-id: (\S+)/i.exec(received())?.[1] ?? ""
}

const charge = (id: number) => ({ id, method: "tools/call", params: { name: "charge", arguments: { id: "7" } } })

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
    const call = (id: number, isReading = true) => {
      const sent = send(server.url, charge(id), { session, isReading })
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
    call(2, false)
    await until(() => scene.deeds().length === 1)
    expect(await scene.hasCalls()).toBe(true)
    scene.letGo()
    await until(async () => !(await scene.hasCalls()))
    const again = call(3)
    await until(() => again.received().includes("Charged 7."))
    expect(scene.deeds()).toEqual(["charged 7", "charged 7"])
  })
})
