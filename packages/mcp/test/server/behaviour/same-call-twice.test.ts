// The same call of an older client, made twice: when both are one call, whose effects happen once, and when they are
// two.

import { createTestClock } from "@holdpoint/testing"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, passing, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect } from "vitest"
import { callKind, entryKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House | undefined
const clock = createTestClock()
afterEach(() => house?.close())

describe("two calls with the same arguments that both continue an earlier call", () => {
  verifies("mcp.once", "do an effect once, in two processes", async () => {
    let charges = 0
    const { promise: isSlow, resolve: goOn } = Promise.withResolvers<void>()
    house = await createHouse({
      nodes: 2,
      settings: { urlWay: "error" },
      server() {
        const server = new McpServer({ name: "twice", version: "1.0.0" })
        const pay = holdable(async (ask) => {
          await ask.url("pay", "Pay?", "https://pay.example/7")
          const charge = async () => {
            charges++
            await isSlow
            return charges
          }
          return { content: [{ type: "text" as const, text: `charged ${await ask.once("charge", charge)}` }] }
        })
        server.registerTool("pay", {}, pay)
        return server
      },
    })
    const client = await house.raw({ answer: () => ({ action: "cancel" }) })
    expect(await client.call("pay", {})).toMatchObject({ kind: "error", code: -32_042 })
    const [asked] = await house.hub.list({ tenant: alice.tenant, state: "open", limit: 10 })
    await house.hub.answer(asked?.id ?? "", { by: alice, action: "accept" })
    await house.hub.complete(asked?.id ?? "")
    const first = client.call("pay", {})
    client.to(1)
    const second = client.call("pay", {})
    const early = await Promise.race([first, second])
    expect(early).toMatchObject({
      isError: true,
      text: expect.stringMatching(/is doing “charge”|whether “charge” was done/),
    })
    goOn()
    const texts = (await Promise.all([first, second])).map((result) => (result.kind === "result" ? result.text : ""))
    expect(texts).toContain("charged 1")
    expect(charges).toBe(1)
  })
})

describe("two calls with the same arguments that are held at the same time", () => {
  verifies("mcp.once", "stay separate calls, in one process and in two", async () => {
    const done: string[] = []
    house = await createHouse({
      nodes: 2,
      runtime: clock,
      server() {
        const server = new McpServer({ name: "twice", version: "1.0.0" })
        const pay = holdable(async (ask) => {
          const charge = await ask.once("charge", () => done.push("charged"))
          const isSure = await ask.confirm("sure", "Sure?")
          return { content: [{ type: "text" as const, text: `charged ${charge} ${isSure}` }] }
        })
        server.registerTool("pay", {}, pay)
        return server
      },
    })
    const answers = Promise.withResolvers<Reply>()
    const client = await house.raw({ answer: () => answers.promise })
    const calls = [client.call("pay", {})]
    await until(() => client.prompts.length === 1)
    calls.push(client.call("pay", {}))
    await until(() => client.prompts.length === 2)
    client.to(1)
    calls.push(client.call("pay", {}))
    await passing(
      clock,
      until(() => client.prompts.length === 3),
    )
    answers.resolve({ action: "accept", content: { confirmed: true } })
    const texts = (await Promise.all(calls)).map((result) => (result.kind === "result" ? result.text : ""))
    expect(texts.toSorted()).toEqual(["charged 1 true", "charged 2 true", "charged 3 true"])
    const kept = house.storage.records(callKind)
    await until(async () => (await kept.list({ tenant: alice.tenant, limit: 9 })).length === 0)
    expect(await house.storage.records(entryKind).list({ tenant: alice.tenant, limit: 9 })).toEqual([])
  })
})

describe("a held call that its client gives up", () => {
  verifies("mcp.once", "keeps its effects for the same call, made again, which asks again", async () => {
    const done: string[] = []
    house = await createHouse({
      server() {
        const server = new McpServer({ name: "twice", version: "1.0.0" })
        const pay = holdable(async (ask) => {
          await ask.once("charge", () => void done.push("charged"))
          const isSure = await ask.confirm("sure", "Sure?")
          return { content: [{ type: "text" as const, text: String(isSure) }] }
        })
        server.registerTool("pay", {}, pay)
        return server
      },
    })
    const client = await house.raw({
      answer: () =>
        client.prompts.length === 1 ? new Promise<Reply>(() => {}) : { action: "accept", content: { confirmed: true } },
    })
    const stop = new AbortController()
    const first = client.call("pay", {}, { signal: stop.signal })
    await until(() => client.prompts.length === 1)
    stop.abort()
    await first
    const calls = house.storage.records(callKind)
    await until(async () => (await calls.list({ tenant: alice.tenant, limit: 9 })).every(({ lease }) => !lease))
    expect(await client.call("pay", {})).toMatchObject({ isError: false, text: "true" })
    expect([done, client.prompts.length]).toEqual([["charged"], 2])
  })
})
