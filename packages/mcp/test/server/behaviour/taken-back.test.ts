// A call of a session that its client cancels at another process than the one that works on it.

import { createTestClock } from "@holdpoint/testing"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, passing, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"
import { callUnderWayKind } from "../../../src/server/records.ts"

let house: House
let signals: AbortSignal[] = []
let charges = 0
let effect = Promise.withResolvers<void>()
beforeEach(async () => {
  signals = []
  charges = 0
  effect = Promise.withResolvers<void>()
  house = await createHouse({ server, nodes: 2 })
})
afterEach(async () => {
  effect.resolve()
  await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "taken back", version: "1" })
  const pay = holdable(async (ask) => {
    signals.push(ask.context.mcpReq.signal)
    await ask.url("pay", "Pay.", "https://pay.example/1")
    return text("Paid.")
  })
  const charge = holdable(async (ask) => {
    signals.push(ask.context.mcpReq.signal)
    await ask.once("charge", () => {
      charges++
      return effect.promise
    })
    return text("Charged.")
  })
  const look = holdable(async () => text("Looked."))
  made.registerTool("pay", {}, pay)
  made.registerTool("charge", {}, charge)
  made.registerTool("look", {}, look)
  return made
}

const never = () => new Promise<Reply>(() => {})
const underWay = () => house.storage.records(callUnderWayKind).list({ tenant: "acme", limit: 9 })

describe("a call that is cancelled at another process", () => {
  verifies.each("mcp.given-up-elsewhere")(["pay", "charge"])(
    "is stopped where it runs, and its handler's signal aborts: %s",
    async (tool) => {
      const client = await house.raw({ answer: never })
      void client.call(tool)
      await until(async () => (await underWay()).length === 1)
      client.to(1)
      await client.notify("notifications/cancelled", { requestId: 2 })
      await until(() => signals[0]?.aborted === true)
      expect(await underWay()).toEqual([])
    },
  )

  verifies("mcp.undelivered", "does not count as delivered, although its stream ends", async () => {
    const clock = createTestClock()
    const timed = await createHouse({ server, runtime: clock })
    const client = await timed.raw({ answer: never })
    void client.call("charge")
    await until(() => signals.length === 1)
    await client.notify("notifications/cancelled", { requestId: 2 })
    effect.resolve()
    const kept = async () => (await timed.storage.records(callKind).list({ tenant: "acme", limit: 9 }))[0]?.sealed
    await until(async () => (await kept()) !== undefined)
    await clock.advance(1_000)
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
    expect(await passing(clock, client.call("charge"))).toMatchObject({ text: "Charged." })
    expect(charges).toBe(1)
    await timed.close()
  })

  verifies("mcp.given-up-elsewhere", "cannot be cancelled from another session", async () => {
    const client = await house.raw({ answer: never })
    const called = client.call("charge")
    await until(async () => (await underWay()).length === 1)
    const stranger = await house.raw({ node: 1 })
    await stranger.notify("notifications/cancelled", { requestId: 2 })
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    effect.resolve()
    expect(await called).toMatchObject({ text: "Charged." })
  })

  verifies("mcp.given-up-elsewhere", "leaves nothing behind when it has ended or was never made", async () => {
    const client = await house.raw({ answer: () => accept() as never })
    await client.call("look")
    effect.resolve()
    await client.call("charge")
    await until(async () => (await underWay()).length === 0)
    const end = await house.storage.trail.end()
    client.to(1)
    for (let requestId = 0; requestId < 20; requestId++) await client.notify("notifications/cancelled", { requestId })
    expect(await house.storage.trail.end()).toBe(end)
  })
})
