// What a client receives while its call runs: the author's progress messages, and keep-alives.

import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect } from "vitest"
import { holdable } from "../../../src/server/index.ts"

let house: House | undefined
afterEach(() => house?.close())

const done = { content: [{ type: "text" as const, text: "Done." }] }

function createServer(): McpServer {
  const server = new McpServer({ name: "told", version: "1.0.0" })
  server.registerTool(
    "count",
    {},
    holdable(async (ask) => {
      await ask.progress("Half of it is done", 0.5)
      await ask.progress("Almost")
      return done
    }),
  )
  return server
}

describe("progress in the author's words", () => {
  verifies.each("mcp.progress")(["modern", "legacy"] as const)("reaches a client of the %s era", async (era) => {
    house = await createHouse({ server: createServer })
    const progresses: unknown[] = []
    const client = await house.v2(era, { answer: () => ({ action: "cancel" }) })
    const result = await client.call("count", {}, { onprogress: (progress) => progresses.push(progress) })
    expect(result).toMatchObject({ kind: "result", isError: false })
    const words = client.received
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params as { readonly progress: number; readonly message: string; readonly total?: number })
    expect(words.map(({ message }) => message)).toEqual(["Half of it is done", "Almost"])
    expect(words[0]).toMatchObject({ progress: 0.5, total: 1 })
    expect(words[1]?.progress).toBeGreaterThan(0.5)
    expect(progresses.length).toBeGreaterThan(0)
  })

  verifies("mcp.progress", "is not sent when the client did not request it", async () => {
    house = await createHouse({ server: createServer })
    const client = await house.raw({ answer: () => ({ action: "cancel" }) })
    expect(await client.call("count", {})).toMatchObject({ kind: "result", isError: false })
    expect(client.received.filter(({ method }) => method === "notifications/progress")).toEqual([])
  })
})

describe("an idle stream", () => {
  const openStream = async (clock: TestClock): Promise<Response> => {
    house = await createHouse({ server: createServer, runtime: clock, settings: { callers: "anonymous" } })
    const { fetch, url } = await house.endpoint()
    const initialize = {
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    }
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const begun = await fetch(url, { method: "POST", headers, body: JSON.stringify(initialize) })
    await begun.text()
    const session = begun.headers.get("mcp-session-id") ?? ""
    return fetch(url, { headers: { ...headers, "mcp-session-id": session } })
  }
  const readerOf = (stream: Response) => {
    const reader = (stream.body ?? new ReadableStream<Uint8Array>()).getReader()
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    return { read, cancel: () => reader.cancel() }
  }

  verifies("mcp.kept-alive", "sends a keepalive every 15 seconds", async () => {
    const clock = createTestClock()
    const { read, cancel } = readerOf(await openStream(clock))
    expect(await read()).toBe(": listening\n\n")
    await clock.advance(15_000)
    expect(await read()).toBe(": keepalive\n\n")
    await clock.advance(15_000)
    expect(await read()).toBe(": keepalive\n\n")
    await cancel()
  })

  verifies("mcp.kept-alive", "queues no further keepalive for a client that does not read", async () => {
    const clock = createTestClock()
    const { read, cancel } = readerOf(await openStream(clock))
    await clock.advance(15_000)
    await clock.advance(15_000)
    expect(await read()).toBe(": listening\n\n")
    const next = read()
    let isKeptAlive = false
    void next.then(() => (isKeptAlive = true))
    await clock.advance(14_000)
    expect(isKeptAlive).toBe(false)
    await clock.advance(1_000)
    expect(await next).toBe(": keepalive\n\n")
    await cancel()
  })
})
