// A process that closes while it holds calls, and anonymous callers.

import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Answering, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { open as openClient } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "ends", version: "1" })
  const inputSchema = z.object({})
  made.registerTool(
    "pay",
    { inputSchema },
    holdable(async (_args, ask) => {
      await ask.url("pay", "Please pay.", "https://pay.example/1")
      return text(`Paid by ${ask.caller?.subject ?? "an unknown caller"}.`)
    }),
  )
  made.registerTool(
    "sure",
    { inputSchema },
    holdable(async (_args, ask) => text(`${await ask.confirm("sure", "Sure?")}`)),
  )
  made.registerTool(
    "connect",
    { inputSchema },
    holdable(async (_args, ask) => text((await ask.connection("drive")).id)),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, nodes: 2, ...options })
  houses.push(house)
  return house
}

const open = ({ hub }: House, tenant = "acme") => hub.list({ tenant, state: "open", limit: 10 })
const never = () => new Promise<Reply>(() => {})

describe("a process that is shut down", () => {
  it("answers the calls that it holds with their state, and another process continues them", async () => {
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("pay"))
    const held = retry(client, "pay", {}, one, { pay: accept() })
    await until(async () => (await open(house))[0]?.status === "accepted")
    const closing = house.nodes[0]?.mcp.close()
    const two = roundOf(await held)
    await closing
    expect(two.requests).toEqual({})
    client.to(1)
    const last = retry(client, "pay", {}, two)
    await house.hub.complete((await open(house))[0]?.id ?? "")
    expect(await last).toMatchObject({ text: "Paid by alice." })
  })

  it("waits until the calls that it gives away are stored, however long the store takes", async () => {
    const storage = createMemoryStorage()
    const { promise: isWritten, resolve: write } = Promise.withResolvers<void>()
    const { promise: isWriting, resolve: writing } = Promise.withResolvers<void>()
    const replace = storage.records(callKind).replace.bind(storage.records(callKind))
    let isSlow = false
    Object.assign(storage.records(callKind), {
      async replace(...given: Parameters<typeof replace>) {
        if (isSlow) {
          writing()
          await isWritten
        }
        return replace(...given)
      },
    })
    const house = await start({ storage })
    const client = await house.modern()
    const one = roundOf(await client.call("pay"))
    const held = retry(client, "pay", {}, one, { pay: accept() })
    await until(async () => (await open(house))[0]?.status === "accepted")
    isSlow = true
    const closing = house.nodes[0]?.mcp.close()
    await isWriting
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve))
    write()
    expect(roundOf(await held).requests).toEqual({})
    await closing
  })

  verifies.each("mcp.close-answers")(["v1.32", "v2 legacy", "raw 2025-06-18"] as const)(
    "answers the held calls of %s with a text, and another process continues with the same questions",
    async (kind) => {
      const house = await start()
      const endpoint = await house.endpoint()
      let answer: Answering = never
      const client = await openClient(kind, endpoint, { answer: (...given) => answer(...given) })
      const held = ["sure", "pay"].map((tool) => client.call(tool, {}))
      await until(() => client.prompts.length === 2)
      const before = await open(house)
      await house.nodes[0]?.mcp.close()
      for (const called of held)
        expect(await called).toMatchObject({
          isError: true,
          text: expect.stringMatching(/server is stopping.*Call again/),
        })
      expect((await open(house)).map(({ id, status }) => [id, status])).toEqual(before.map(({ id }) => [id, "pending"]))
      endpoint.to(1)
      answer = ({ message, requestedSchema }) => {
        if (message === "Sure?") return { action: "accept", content: { confirmed: true } }
        return { action: "accept", ...(requestedSchema === undefined ? {} : { content: { acknowledged: true } }) }
      }
      expect(await client.call("sure", {})).toMatchObject({ isError: false, text: "true" })
      const paid = client.call("pay", {})
      await until(async () => (await open(house))[0]?.status === "accepted")
      const [link] = await open(house)
      expect(before.map(({ id }) => id)).toContain(link?.id)
      await house.hub.complete(link?.id ?? "")
      expect(await paid).toMatchObject({ isError: false, text: "Paid by alice." })
      await client.close()
    },
  )
})

describe("keys that are rotated while questions are open", () => {
  it("still open the states that were sealed before", async () => {
    let keys = withNewKey()
    const house = await start({ settings: { keys: () => keys } })
    const client = await house.modern()
    const one = roundOf(await client.call("sure"))
    const legacy = await house.raw({ answer: () => accept({ confirmed: true }) as Reply })
    keys = withNewKey(keys)
    expect(await retry(client, "sure", {}, one, { sure: accept({ confirmed: false }) })).toMatchObject({
      text: "false",
    })
    expect(await legacy.call("sure")).toMatchObject({ text: "true" })
  })
})

describe("anonymous callers", () => {
  const anonymous: Partial<HouseOptions> = {
    settings: { callers: "anonymous" },
    drive: () => new Response(null, { status: 204 }),
  }

  verifies(
    "mcp.unknown-callers",
    "are asked, each in their own session, and cannot answer for each other",
    async () => {
      const house = await start(anonymous)
      const client = await house.raw({ answer: never })
      const other = await house.raw({ answer: never, node: 1 })
      const called = client.call("sure")
      await until(() => client.prompts.length === 1)
      const { id } = client.received.find(({ method }) => method === "elicitation/create") ?? {}
      const result = accept({ confirmed: true })
      await other.send({ jsonrpc: "2.0", id, result })
      expect((await open(house, "anonymous"))[0]).toMatchObject({ status: "pending", revision: 1 })
      await client.send({ jsonrpc: "2.0", id, result })
      expect(await called).toMatchObject({ text: "true" })
    },
  )

  it("are asked on 2026-07-28, and a state is valid only for its own call", async () => {
    const house = await start(anonymous)
    const client = await house.modern()
    const [one, two] = [roundOf(await client.call("sure")), roundOf(await client.call("sure"))]
    expect(await retry(client, "sure", {}, one, { sure: accept({ confirmed: true }) })).toMatchObject({ text: "true" })
    expect(await open(house, "anonymous")).toHaveLength(1)
    expect(await retry(client, "sure", {}, two, { sure: accept({ confirmed: false }) })).toMatchObject({
      text: "false",
    })
    expect(await retry(client, "sure", {}, one)).toMatchObject({ text: "true" })
  })

  verifies("mcp.unknown-callers", "have no accounts, and are told so", async () => {
    const house = await start(anonymous)
    for (const client of [await house.raw(), await house.modern()])
      expect(await client.call("connect")).toMatchObject({
        isError: true,
        text: expect.stringMatching(/caller is unknown.*authentication/),
      })
    const mute = await house.raw({ capabilities: {} })
    expect(await mute.listTools()).toEqual(["pay", "sure", "connect"])
  })

  it("do not include the person at this machine, who is known", async () => {
    const house = await start({ settings: { callers: { local: alice } } })
    const client = await house.raw({ answer: () => ({ action: "accept" }) })
    const called = client.call("pay")
    await until(async () => (await open(house))[0]?.status === "accepted")
    await house.hub.complete((await open(house))[0]?.id ?? "")
    expect(await called).toMatchObject({ text: "Paid by alice." })
  })
})
