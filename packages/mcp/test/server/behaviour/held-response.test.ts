// Response headers are sent as late as possible, because a proxy can retry a request elsewhere only until then.

import { createTestClock } from "@holdpoint/testing"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House
let effect = Promise.withResolvers<void>()
const clock = createTestClock()
beforeEach(async () => {
  effect = Promise.withResolvers<void>()
  house = await createHouse({ server, runtime: clock })
})
afterEach(() => house.close())

let effects = 0
function server(): McpServer {
  const made = new McpServer({ name: "late", version: "1" })
  const act = holdable(async (ask) => {
    await ask.confirm("sure", "Sure?")
    await ask.once("act", () => {
      effects++
      return effect.promise
    })
    return text("Done.")
  })
  const pay = holdable(async (ask) => {
    await ask.url("pay", "Pay.", "https://pay.example/1")
    return text("Paid.")
  })
  const go = holdable(async (ask) => {
    await ask.once("go", () => {
      effects++
      return effect.promise
    })
    return text("Gone.")
  })
  made.registerTool("go", {}, go)
  made.registerTool("act", {}, act)
  made.registerTool("pay", {}, pay)
  return made
}

/** A client, and the content types of the responses whose headers it received. */
async function listen() {
  const endpoint = await house.endpoint()
  const kinds: (string | null)[] = []
  const fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await endpoint.fetch(input, init)
    kinds.push(response.headers.get("content-type"))
    return response
  }
  return { client: openRawModern({ ...endpoint, fetch }), kinds }
}

describe("a call of 2025", () => {
  verifies("mcp.late-headers", "sends no headers before it asks or answers, unless it runs for long", async () => {
    const endpoint = await house.endpoint()
    let headers = 0
    const fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
      const response = await endpoint.fetch(input, init)
      if (response.headers.get("content-type") === "text/event-stream" && init?.method === "POST") headers++
      return response
    }
    const answer = () => accept({ confirmed: true }) as never
    const client = await openRaw(rawDraft, { ...endpoint, fetch }, { answer })
    const [opened, before] = [headers, effects]
    const called = client.call("go")
    await until(() => effects > before)
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
    expect(headers).toBe(opened)
    await clock.advance(15_000)
    await until(() => headers > opened)
    effect.resolve()
    expect(await called).toMatchObject({ text: "Gone." })
    expect(await client.call("act")).toMatchObject({ text: "Done." })
    await client.close()
  })
})

describe("a retry of 2026-07-28", () => {
  verifies("mcp.late-headers", "that can be answered sends nothing before its answer in plain JSON", async () => {
    const { client, kinds } = await listen()
    const round = roundOf(await client.call("act"))
    const before = effects
    const called = retry(client, "act", {}, round, { sure: accept({ confirmed: true }) })
    await until(() => effects > before)
    for (let round = 0; round < 50; round++) await new Promise((resolve) => setImmediate(resolve))
    expect(kinds).toEqual(["application/json"])
    effect.resolve()
    expect(await called).toMatchObject({ text: "Done." })
    expect(kinds).toEqual(["application/json", "application/json"])
    await client.close()
  })

  verifies("mcp.late-headers", "that is held for a person starts its stream when it is held", async () => {
    const { client, kinds } = await listen()
    const round = roundOf(await client.call("pay"))
    const called = retry(client, "pay", {}, round, { pay: accept() })
    await until(() => kinds.length === 2)
    const [link] = await house.hub.list({ tenant: "acme", state: "open", limit: 9 })
    expect([kinds[1], link?.status]).toEqual(["text/event-stream", "accepted"])
    await house.hub.complete(link?.id ?? "")
    expect(await called).toMatchObject({ text: "Paid." })
    await client.close()
  })

  verifies("mcp.late-headers", "that runs for long starts its stream after a while", async () => {
    const { client, kinds } = await listen()
    const round = roundOf(await client.call("act"))
    const before = effects
    const called = retry(client, "act", {}, round, { sure: accept({ confirmed: true }) })
    await until(() => effects > before)
    await clock.advance(15_000)
    await until(() => kinds.length === 2)
    expect(kinds[1]).toBe("text/event-stream")
    await clock.advance(60_000)
    effect.resolve()
    expect(await called).toMatchObject({ text: "Done." })
    await client.close()
  })

  verifies("mcp.held-cheaply", "queues at most one heartbeat for a client that does not read", async () => {
    const endpoint = await house.endpoint()
    const bodies: Response[] = []
    const fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
      const response = await endpoint.fetch(input, init)
      if (response.headers.get("content-type") !== "text/event-stream") return response
      bodies.push(response)
      return new Response(null, { status: 202 })
    }
    const client = openRawModern({ ...endpoint, fetch })
    const round = roundOf(await client.call("pay"))
    void retry(client, "pay", {}, round, { pay: accept() })
    await until(() => bodies.length === 1)
    for (let beats = 0; beats < 20; beats++) await clock.advance(15_000)
    const received = await bodies[0]?.text()
    expect(received?.match(/: keepalive/g)).toHaveLength(1)
    expect(received).toContain('"resultType":"input_required"')
    await client.close()
  })

  verifies("mcp.undelivered", "whose stream was read to its end is delivered: no later call continues it", async () => {
    const { client, kinds } = await listen()
    const round = roundOf(await client.call("pay"))
    const called = retry(client, "pay", {}, round, { pay: accept() })
    await until(() => kinds.length === 2)
    const [link] = await house.hub.list({ tenant: "acme", state: "open", limit: 9 })
    await house.hub.complete(link?.id ?? "")
    expect(await called).toMatchObject({ text: "Paid." })
    const calls = () => house.storage.records(callKind).list({ tenant: "acme", limit: 9 })
    await until(async () => (await calls()).every(({ knownBy, lease }) => knownBy === undefined && lease === undefined))
    roundOf(await client.call("pay"))
    expect(await house.hub.list({ tenant: "acme", state: "open", limit: 9 })).toHaveLength(1)
    await client.close()
  })
})
