// Sessions of clients up to 2025-11-25: served by any process, and notified only of links that they were given.

import type { Principal } from "@holdpoint/hub"
import { createAddresses } from "@holdpoint/hub"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { JsonObject, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "sessions", version: "1" })
  made.registerTool(
    "pay",
    { inputSchema: z.object({ id: z.string() }) },
    holdable(async ({ id }, ask) => {
      await ask.url("pay", "Please pay.", `https://pay.example/${id}`)
      return text("Paid.")
    }),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, nodes: 2, settings: { urlWay: "error" }, ...options })
  houses.push(house)
  return house
}

const args = { id: "7" }

const completions = ({ received }: TestClient): readonly unknown[] =>
  received.flatMap(({ method, params }) =>
    method === "notifications/elicitation/complete" && isObject(params) ? [params.elicitationId] : [],
  )

async function pay(house: House, person: Principal = alice): Promise<string> {
  const [asked] = await house.hub.list({ tenant: "acme", principal: person, state: "open", limit: 1 })
  if (asked === undefined) throw new Error("nothing was asked")
  await house.hub.answer(asked.id, { by: person, action: "accept" })
  await house.hub.complete(asked.id)
  return asked.id
}

/** Sends one handwritten request. */
async function send(
  house: House,
  node: number,
  {
    session,
    method = "POST",
    body,
    person = alice,
  }: { session?: string; method?: string; body?: object; person?: Principal },
) {
  const { url, headers, fetch, to } = await house.endpoint({ person })
  to(node)
  const response = await fetch(url, {
    method,
    headers: {
      ...headers,
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {}, url: {} } },
    clientInfo: { name: "by-hand", version: "0" },
  },
}
const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }

async function begin(house: House, person: Principal = alice): Promise<string> {
  const response = await send(house, 0, { body: initialize, person })
  await response.text()
  return response.headers.get("mcp-session-id") ?? ""
}

describe("the completion of a link", () => {
  verifies(
    "mcp.completion-to-initiator",
    "is sent to the session that received the link, wherever it listens, and to no other",
    async () => {
      const house = await start()
      // The stream is at one process, the call goes to the other.
      const caller = await house.raw({ node: 1 })
      const others = [await house.raw(), await house.raw({ node: 1 }), await house.raw({ node: 1, person: bob })]
      caller.to(0)
      expect(await caller.call("pay", args)).toMatchObject({ kind: "error", code: -32042 })
      const theirs = others[2]
      expect(await theirs?.call("pay", args)).toMatchObject({ kind: "error", code: -32042 })
      const id = await pay(house)
      await until(() => completions(caller).length > 0)
      expect(await caller.call("pay", args)).toMatchObject({ text: "Paid." })
      const other = await pay(house, bob)
      await until(() => theirs !== undefined && completions(theirs).length > 0)
      expect(completions(caller)).toEqual([id])
      expect(others.map(completions)).toEqual([[], [], [other]])
    },
  )

  verifies(
    "mcp.completion-to-initiator",
    "is sent once, however many streams the session has, and to a stream that opens later",
    async () => {
      const house = await start()
      const session = await begin(house)
      const call = (id: string) => ({
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: { name: "pay", arguments: { id } },
      })
      const heard: string[] = []
      const listen = async (node: number): Promise<() => Promise<void>> => {
        const reader = (await send(house, node, { session, method: "GET" })).body
          ?.pipeThrough(new TextDecoderStream())
          .getReader()
        const reading = (async () => {
          for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
            heard.push(...[...next.value.matchAll(/"elicitationId":"([^"]+)"/g)].map(([, id = ""]) => id))
        })()
        return async () => {
          await reader?.cancel()
          await reading
        }
      }
      const stops = [await listen(0), await listen(1)]
      await (await send(house, 0, { session, body: call("1") })).text()
      const first = await pay(house)
      await until(() => heard.length > 0)
      for (const stop of stops) await stop()
      await (await send(house, 1, { session, body: call("2") })).text()
      const second = await pay(house)
      const stop = await listen(0)
      await until(() => heard.length > 1)
      await stop()
      expect(heard).toEqual([first, second])
      const last = await listen(1)
      await (await send(house, 1, { session, body: list })).text()
      await last()
      expect(heard).toHaveLength(2)
    },
  )
})

describe("a session", () => {
  verifies("mcp.session-has-an-owner", "that was ended is unknown at every process", async () => {
    const house = await start()
    const session = await begin(house)
    for (const node of [0, 1]) expect((await send(house, node, { session, body: list })).status).toBe(200)
    expect((await send(house, 1, { session, method: "DELETE" })).status).toBe(200)
    for (const node of [0, 1])
      for (const request of [{ body: list }, { method: "GET" }, { method: "DELETE" }])
        expect((await send(house, node, { session, ...request })).status).toBe(404)
  })

  it("ends its streams when it is ended at the same process", async () => {
    const house = await start()
    const session = await begin(house)
    const stream = await send(house, 0, { session, method: "GET" })
    await send(house, 0, { session, method: "DELETE" })
    expect(await stream.text()).toContain(": listening")
  })

  verifies("mcp.session-has-an-owner", "of another person, altered or unknown does not exist", async () => {
    const house = await start()
    const session = await begin(house)
    const tries = [
      { session, person: bob },
      { session: `${session}x` },
      { session: session.slice(0, -2) },
      { session: "7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f" },
    ]
    for (const one of tries)
      for (const request of [{ body: list }, { method: "GET" }, { method: "DELETE" }])
        expect((await send(house, 0, { ...one, ...request })).status).toBe(404)
    expect((await send(house, 1, { session, body: list })).status).toBe(200)
  })

  it("is required to listen: a request without one gets 400", async () => {
    const house = await start()
    expect((await send(house, 0, { method: "GET" })).status).toBe(400)
    expect((await send(house, 0, { method: "PUT" })).status).toBe(405)
  })
})

describe("a server that keeps no sessions", () => {
  const stateless = { settings: { legacy: "stateless", addresses: createAddresses("https://hub.example") } } as const

  verifies(
    ["mcp.sessions-without-memory", "mcp.without-sessions"],
    "recognises a client by the id that it was given and sends back",
    async () => {
      const house = await start(stateless)
      const client = await house.raw({ node: 0 })
      client.to(1)
      const called = await client.call("pay", args)
      expect(called).toMatchObject({ kind: "error", code: -32042 })
      await pay(house)
      expect(await client.call("pay", args)).toMatchObject({ text: "Paid." })
    },
  )

  verifies(
    "mcp.without-sessions",
    "sends a text to a client that sends no id back, and continues when it calls again",
    async () => {
      const house = await start(stateless)
      const client = await house.raw({ forgetsSession: true })
      const called = await client.call("pay", args)
      expect(called).toMatchObject({ isError: true, text: expect.stringMatching(/https:\/\/hub\.example\/visit\//) })
      await pay(house)
      expect(await client.call("pay", args)).toMatchObject({ text: "Paid." })
    },
  )

  verifies("mcp.without-sessions", "applies the author's assumptions to clients that send no id back", async () => {
    const house = await start({ settings: { ...stateless.settings, assume: { url: true } } })
    const client = await house.raw({ forgetsSession: true })
    expect(await client.call("pay", args)).toMatchObject({ kind: "error", code: -32042 })
  })

  it("has no streams and nothing to end, and answers with one body of JSON", async () => {
    const house = await start(stateless)
    const session = await begin(house)
    for (const method of ["GET", "DELETE"]) expect((await send(house, 0, { session, method })).status).toBe(405)
    const response = await send(house, 0, { session, body: list })
    expect(response.headers.get("content-type")).toMatch(/^application\/json/)
    expect(((await response.json()) as JsonObject).result).toBeDefined()
  })
})
