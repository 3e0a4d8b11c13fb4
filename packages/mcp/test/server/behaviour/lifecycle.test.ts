// Calls that end without a result leave nothing behind and lose nothing.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, passing, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { createCalls } from "../../../../calls/src/calls.ts"
import { defaultHoldMs } from "../../../../calls/src/holds.ts"
import { callKind } from "../../../../calls/src/records.ts"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

let handler: (args: { readonly id: string }, ask: Ask) => Promise<ReturnType<typeof text>>
let open = 0
let isThere = true
beforeEach(() => {
  open = 0
  isThere = true
})

function server(): McpServer {
  const made = new McpServer({ name: "lifecycle", version: "1" })
  open++
  made.server.onclose = () => void open--
  const inputSchema = z.object({ id: z.string() })
  if (isThere)
    made.registerTool(
      "act",
      { inputSchema },
      holdable((args, ask) => handler(args, ask)),
    )
  else made.registerTool("act", { inputSchema }, async () => text("An older release."))
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, ...options })
  houses.push(house)
  return house
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})
const args = { id: "7" }

/** Lets all pending work run, to show that something does not happen. */
async function aWhile(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
}
const sure = accept({ confirmed: true })
const ask = async (_args: object, { confirm }: Ask) => text(`${await confirm("sure", "Sure?")}`)

describe("a server that was made for a request of an older client", () => {
  it("is closed when its call ends after the client has gone", async () => {
    handler = ask
    const house = await start()
    const client = await house.raw({ answer: () => never() })
    void client.call("act", args).catch(() => {})
    await until(() => client.prompts.length > 0)
    const [asked] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    await client.close()
    expect(open).toBe(1)
    await house.hub.answer(asked?.id ?? "", { by: alice, via: "inbox", action: "accept", content: { confirmed: true } })
    await until(() => open === 0)
  })

  it.each(["sessions", "stateless"] as const)(
    "is closed, and its response ends, when its call is cancelled: %s",
    async (legacy) => {
      const clock = createTestClock()
      const begun = Promise.withResolvers<AbortSignal>()
      handler = (_args, { context }) => {
        begun.resolve(context.mcpReq.signal)
        return new Promise((_, reject) => context.mcpReq.signal.addEventListener("abort", reject))
      }
      const house = await start({ settings: { legacy }, runtime: clock })
      const client = await house.raw()
      const lost = client.send({
        jsonrpc: "2.0",
        id: 77,
        method: "tools/call",
        params: { name: "act", arguments: args },
      })
      await begun.promise
      await client.notify("notifications/cancelled", { requestId: 77 })
      await passing(clock, lost)
      await passing(
        clock,
        until(() => open === 0),
      )
      await client.close()
    },
  )
})

describe("a session that its client ends", () => {
  it("cancels the forms of the calls that are held for it", async () => {
    handler = ask
    const house = await start()
    const endpoint = await house.endpoint()
    if (endpoint.transport !== "http") throw new Error("not over HTTP")
    let session = ""
    const post = async (body: object): Promise<Response> => {
      const type = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      const headers = { ...endpoint.headers, ...type, ...(session === "" ? {} : { "mcp-session-id": session }) }
      return endpoint.fetch(endpoint.url, {
        method: "POST",
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      })
    }
    const clientInfo = { name: "ends", version: "0" }
    const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo }
    session = (await post({ id: 0, method: "initialize", params })).headers.get("mcp-session-id") ?? ""
    await post({ id: 1, method: "tools/call", params: { name: "act", arguments: args } })
    const isOpen = async () => (await house.hub.list({ tenant: "acme", state: "open", limit: 10 })).length > 0
    await until(isOpen)
    await endpoint.fetch(endpoint.url, {
      method: "DELETE",
      headers: { ...endpoint.headers, "mcp-session-id": session },
    })
    await until(async () => !(await isOpen()))
  })
})

describe("a server that closes", () => {
  it.each(["sessions", "stateless"] as const)("ends the responses that it holds, with %s", async (legacy) => {
    const begun = Promise.withResolvers<void>()
    handler = (_args, { context }) => {
      begun.resolve()
      return new Promise((_, reject) => context.mcpReq.signal.addEventListener("abort", reject))
    }
    const house = await start({ settings: { legacy } })
    const client = await house.raw()
    const lost = client.send({ jsonrpc: "2.0", id: 77, method: "tools/call", params: { name: "act", arguments: args } })
    await begun.promise
    await house.nodes[0]?.mcp.close()
    await lost
    await until(() => open === 0)
  })
})

describe("a claim", () => {
  it("ends when this process does not run the handler, so that another process can continue", async () => {
    const clock = createTestClock()
    handler = ask
    const house = await start({ nodes: 2, runtime: clock })
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    isThere = false
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({ text: "An older release." })
    isThere = true
    client.to(1)
    expect(await passing(clock, retry(client, "act", args, one, { sure }))).toMatchObject({ text: "true" })
  })

  it("that a retry has waited for is not followed by a hold, because clients give up after a minute", async () => {
    const clock = createTestClock()
    const delays: number[] = []
    const watched = {
      ...clock,
      after(ms: number, then: () => void) {
        delays.push(ms)
        return clock.after(ms, then)
      },
    }
    let isAlive = true
    const mortal = { ...clock, after: (ms: number, then: () => void) => clock.after(ms, () => isAlive && then()) }
    handler = async (_args, { url }) => {
      await url("pay", "Pay?", "https://pay.example/7")
      return text("Paid.")
    }
    const house = await start({ nodes: 2, runtime: (node) => (node === 0 ? mortal : watched) })
    const client = await house.modern()
    const other = await house.modern({ node: 1 })
    const one = roundOf(await client.call("act", args))
    void retry(client, "act", args, one, { pay: accept() }).catch(() => {})
    await until(async () => {
      const [call] = await house.storage.records(callKind).list({ tenant: "acme", limit: 10 })
      return call?.lease !== undefined
    })
    isAlive = false
    const second = retry(other, "act", args, one, { pay: accept() })
    // The second request waits until the lease of the first expires.
    await until(() => delays.includes(20_000))
    const again = roundOf(await passing(clock, second))
    expect(delays).not.toContain(defaultHoldMs)
    const [asked] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    await house.hub.complete(asked?.id ?? "")
    expect(await retry(other, "act", args, again)).toMatchObject({ text: "Paid." })
  })

  it("that was lost can no longer change anything", async () => {
    const clock = createTestClock()
    const storage: Storage = createMemoryStorage()
    const sealer = createSealer(withNewKey())
    const isCompleted = async () => false
    const parts = { storage, sealer, strict: true, lifetimeMs: 1e7, resumeMs: 1e7, isCompleted, report: () => {} }
    const asleep = createCalls({ ...parts, runtime: { ...clock, after: () => () => {} } })
    const awake = createCalls({ ...parts, runtime: clock })
    await asleep.begin({ id: "call", caller: alice }).advance(300_000)
    const claimed = { id: "call", round: 1, caller: alice }
    const lost = await asleep.claim(claimed)
    await clock.advance(60_000)
    const taken = await awake.claim(claimed)
    await expect(lost?.save()).rejects.toThrow(/Another request/)
    for (const end of [() => lost?.save(), () => lost?.finish(), () => lost?.release(), () => lost?.advance(300_000)])
      await end()?.catch((error: unknown) => expect(String(error)).toMatch(/Another request/))
    expect(await storage.records(callKind).get("call")).toMatchObject({
      round: 1,
      lease: { holder: expect.any(String) },
    })
    expect(await taken?.advance(300_000)).toBe(2)
    for (const calls of [asleep, awake]) await calls.close()
    await storage.close()
  })

  it("that was lost leaves the questions of its call to the request that has it now", async () => {
    const clock = createTestClock()
    let isAsleep = false
    const sleepy = { ...clock, after: (ms: number, then: () => void) => clock.after(ms, () => isAsleep || then()) }
    const slow = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let runs = 0
    handler = async (_args, { confirm, once }) => {
      runs++
      await confirm("first", "First?")
      if (runs === 2) {
        begun.resolve()
        await slow.promise
      }
      await Promise.all([confirm("second", "Second?"), once("done", () => {})])
      return text("Done.")
    }
    const house = await start({ nodes: 2, runtime: (node) => (node === 0 ? sleepy : clock) })
    const client = await house.modern()
    const other = await house.modern({ node: 1 })
    const one = roundOf(await client.call("act", args))
    const late = retry(client, "act", args, one, { first: sure })
    await begun.promise
    isAsleep = true
    const two = roundOf(await passing(clock, retry(other, "act", args, one, { first: sure })))
    slow.resolve()
    await late
    expect(await retry(other, "act", args, two, { second: sure })).toMatchObject({ text: "Done." })
  })
})

describe("a handler that has ended", () => {
  it("can no longer ask: its late question is not stored", async () => {
    let later: Promise<unknown> | undefined
    const ended = Promise.withResolvers<void>()
    handler = async (_args, { confirm }) => {
      later = ended.promise.then(() => confirm("late", "Is anybody there?"))
      return text("Done.")
    }
    const house = await start()
    for (const client of [await house.modern(), await house.raw()])
      expect(await client.call("act", args)).toMatchObject({ text: "Done." })
    ended.resolve()
    await Promise.race([later, aWhile()])
    expect(await house.hub.list({ tenant: "acme", state: "all", limit: 10 })).toEqual([])
  })

  it("is not notified of the ends of questions that it left open", async () => {
    const ends: unknown[] = []
    handler = async (_args, { url }) => {
      const asked = url("pay", "Pay?", "https://pay.example/7")
      asked.then(
        () => ends.push("paid"),
        (error: unknown) => ends.push(error),
      )
      await until(async () => (await house.hub.list({ tenant: "acme", state: "open", limit: 10 })).length > 0)
      return text("Done.")
    }
    const house = await start()
    const client = await house.raw({ answer: () => never() })
    expect(await client.call("act", args)).toMatchObject({ text: "Done." })
    await until(() => open === 0)
    await aWhile()
    expect(ends).toEqual([])
  })

  it("keeps its result when its call cannot be removed from the store", async () => {
    const storage = createMemoryStorage()
    let isBroken = false
    const calls = storage.records(callKind)
    const { remove, replace } = calls
    Object.assign(calls, {
      replace: (...given: Parameters<typeof replace>) =>
        isBroken ? Promise.reject(new Error("the disk is full")) : replace(...given),
      remove: (...given: Parameters<typeof remove>) =>
        isBroken ? Promise.reject(new Error("the disk is full")) : remove(...given),
    })
    handler = ask
    const house = await start({ storage })
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    handler = async (given, asking) => {
      const answer = await ask(given, asking)
      isBroken = true
      return answer
    }
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({ isError: false, text: "true" })
    expect(house.reports).not.toHaveLength(0)
    isBroken = false
  })
})

describe("a factory that fails", () => {
  it.each(["modern", "raw"] as const)("is reported, for a %s client", async (kind) => {
    let isBroken = false
    const house = await start({
      server: () => {
        if (isBroken) throw new Error("no database")
        return server()
      },
    })
    const client = await house[kind]()
    isBroken = true
    void client.request("tools/list").catch(() => {})
    await until(() => house.reports.length > 0)
    expect(house.reports).toMatchObject([{ error: new Error("no database") }])
  })
})
