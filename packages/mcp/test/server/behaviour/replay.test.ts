// When its client comes back, a handler runs again from the beginning: its effects and answers stay.

import { isRefusal } from "@holdpoint/calls"
import { createTestClock } from "@holdpoint/testing"
import { bob } from "@holdpoint/testkit/fixtures"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, passing, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { callKind } from "../../../../calls/src/records.ts"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

let handler: (args: { readonly id: string }, ask: Ask) => Promise<ReturnType<typeof text>>
let runs = 0
beforeEach(() => {
  runs = 0
})

function server(): McpServer {
  const made = new McpServer({ name: "replay", version: "1" })
  for (const tool of ["act", "other"])
    made.registerTool(
      tool,
      { inputSchema: z.object({ id: z.string() }) },
      holdable(async (args, ask) => {
        runs++
        return handler(args, ask)
      }),
    )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, nodes: 2, ...options })
  houses.push(house)
  return house
}

const args = { id: "7" }
const sure = accept({ confirmed: true })

describe("a handler that is run again", () => {
  verifies(
    "mcp.same-arguments",
    "is refused when its arguments have changed, and continues when only their order has changed",
    async () => {
      handler = async ({ id }, ask) => text(`${id} ${await ask.confirm("sure", "Sure?")}`)
      const house = await start()
      const client = await house.modern()
      const one = roundOf(await client.call("act", { id: "7", more: { b: 1, a: 2 } }))
      const changed = await retry(client, "act", { id: "8", more: { b: 1, a: 2 } }, one, { sure })
      expect(changed).toMatchObject({ kind: "error", code: -32602, message: "Invalid or expired requestState" })
      expect(runs).toBe(1)
      expect(await retry(client, "act", { more: { a: 2, b: 1 }, id: "7" }, one, { sure })).toMatchObject({
        text: "7 true",
      })
    },
  )

  verifies(["mcp.no-is-kept", "mcp.refusal-is-caught"], "never repeats a declined question in that call", async () => {
    const prompts: string[] = []
    handler = async (_args, ask) => {
      const outcomes: string[] = []
      for (const key of ["one", "two", "three"]) {
        prompts.push(key)
        try {
          await ask.confirm(key, `${key}?`)
          outcomes.push("yes")
        } catch (error) {
          outcomes.push(isRefusal(error) ? error.outcome : "broken")
        }
      }
      return text(outcomes.join(" "))
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    const two = roundOf(await retry(client, "act", args, one, { one: { action: "decline" } }))
    expect(Object.keys(two.requests)).toEqual(["two"])
    const three = roundOf(await retry(client, "act", args, two, { two: { action: "cancel" }, one: sure }))
    expect(Object.keys(three.requests)).toEqual(["three"])
    expect(await retry(client, "act", args, three, { three: sure })).toMatchObject({ text: "declined cancelled yes" })
  })

  verifies.each("mcp.same-way")([
    {
      strict: true,
      expected: { isError: true, text: expect.stringMatching(/did not repeat its earlier run.*skipped “a”/) },
    },
    { strict: false, expected: { isError: false, text: "b a" } },
  ])("fails loudly only in strict mode when it changes the order: $strict", async ({ strict, expected }) => {
    handler = async (_args, ask) => {
      const keys = runs === 1 ? ["a", "b"] : ["b", "a"]
      for (const key of keys) await ask.confirm(key, `${key}?`)
      return text(keys.join(" "))
    }
    const house = await start({ settings: { strict } })
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    const two = await retry(client, "act", args, one, { a: sure })
    if (strict) return expect(two).toMatchObject(expected)
    expect(Object.keys(roundOf(two).requests)).toEqual(["b"])
    // The answer to the other question was kept although the handler did not reach it.
    expect(await retry(client, "act", args, roundOf(two), { b: sure })).toMatchObject(expected)
  })

  verifies("mcp.same-way", "fails loudly when one key is used twice", async () => {
    handler = async (_args, ask) => {
      await ask.confirm("sure", "Sure?")
      await ask.confirm("sure", "Really?")
      return text("never")
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/“sure” twice/),
    })
  })

  verifies("mcp.same-way", "fails loudly when it asks something else under the same key", async () => {
    handler = async (_args, ask) => {
      await ask.confirm("sure", `Sure, the ${runs}th time?`)
      return text("never")
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    expect(await retry(client, "act", args, one, { sure })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/not what it asked before/),
    })
  })

  verifies(
    "mcp.answered-stays-answered",
    "continues in parallel chains, in whichever order the answers arrive",
    async () => {
      handler = async (_args, ask) => {
        const chain = async (name: string): Promise<string> => {
          await ask.confirm(`${name}1`, "One?")
          await ask.once(`${name}1 done`, () => {})
          await ask.confirm(`${name}2`, "Two?")
          return name
        }
        return text((await Promise.all([chain("a"), chain("b")])).join(" "))
      }
      const house = await start()
      const client = await house.modern()
      const one = roundOf(await client.call("act", args))
      expect(Object.keys(one.requests).sort()).toEqual(["a1", "b1"])
      const two = roundOf(await retry(client, "act", args, one, { b1: sure }))
      expect(Object.keys(two.requests).sort()).toEqual(["a1", "b2"])
      const three = roundOf(await retry(client, "act", args, two, { b2: sure, a1: sure }))
      expect(Object.keys(three.requests)).toEqual(["a2"])
      expect(await retry(client, "act", args, three, { a2: sure })).toMatchObject({ isError: false, text: "a b" })
    },
  )
})

describe("a state", () => {
  const twoRounds = async (_args: object, ask: Ask) => {
    await ask.confirm("first", "First?")
    await ask.once("counted", () => void effects++)
    await ask.confirm("second", "Second?")
    return text("Done.")
  }
  let effects = 0
  const refused = { kind: "error", code: -32602, data: { reason: "invalid_request_state" } }
  beforeEach(() => {
    effects = 0
    handler = twoRounds
  })

  verifies(
    "mcp.state-used-once",
    "is valid for one answered request; after the result it returns the same result",
    async () => {
      const house = await start()
      const client = await house.modern()
      const one = roundOf(await client.call("act", args))
      const two = roundOf(await retry(client, "act", args, one, { first: sure }))
      expect(await retry(client, "act", args, one, { first: sure })).toMatchObject(refused)
      for (const answer of [sure, sure, { action: "decline" }])
        expect(await retry(client, "act", args, two, { second: answer })).toMatchObject({
          isError: false,
          text: "Done.",
        })
      expect(await retry(client, "act", args, one, { first: sure, second: sure })).toMatchObject(refused)
      expect(effects).toBe(1)
      expect(runs).toBe(3)
    },
  )

  verifies("mcp.state-used-once", "lets one of two concurrent requests win, in one process and in two", async () => {
    const clock = createTestClock()
    const house = await start({ runtime: clock })
    const [here, there] = [await house.modern(), await house.modern({ node: 1 })]
    for (const other of [here, there]) {
      effects = 0
      const id = `${other === here}`
      const one = roundOf(await here.call("act", { id }))
      const both = Promise.all([here, other].map((client) => retry(client, "act", { id }, one, { first: sure })))
      // The second request, at another process, checks again when the first could be dead.
      expect((await passing(clock, both)).map(({ kind }) => kind).sort()).toEqual(["error", "result"])
      expect(effects).toBe(1)
    }
  })

  verifies(
    "mcp.state-of-one-call",
    "is valid for no other person, client, method or tool, and stays valid for its own",
    async () => {
      const house = await start()
      const client = await house.modern()
      const one = roundOf(await client.call("act", args))
      const others = [
        await house.modern({ person: bob }),
        await house.modern({ client: "another-client" }),
        await house.modern({ node: 1, person: bob }),
      ]
      for (const other of others) expect(await retry(other, "act", args, one, { first: sure })).toMatchObject(refused)
      expect(await retry(client, "other", args, one, { first: sure })).toMatchObject(refused)
      expect(
        await client.request("prompts/get", { name: "act", arguments: args, requestState: one.state }),
      ).toMatchObject(refused)
      for (const state of [
        "",
        "x",
        `${one.state}x`,
        one.state.slice(0, -1),
        one.state.toUpperCase(),
        "x".repeat(9_999),
      ])
        expect(await retry(client, "act", args, { state })).toMatchObject(refused)
      expect(await client.request("tools/call", { name: "act", arguments: args, requestState: 7 })).toMatchObject({
        kind: "error",
        code: -32602,
      })
      expect(runs).toBe(1)
      const [open] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
      expect(open).toMatchObject({ status: "pending", revision: 1 })
      expect(roundOf(await retry(client, "act", args, one, { first: sure })).requests).toHaveProperty("second")
    },
  )

  it("is needed for every answer: an answer without a state is ignored, and the question is asked", async () => {
    const house = await start()
    const client = await house.modern()
    const inputResponses = { first: sure, second: sure }
    const one = roundOf(await client.request("tools/call", { name: "act", arguments: args, inputResponses }))
    expect([Object.keys(one.requests), effects]).toEqual([["first"], 0])
    const [open] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    expect(open).toMatchObject({ status: "pending", revision: 1 })
  })

  verifies("mcp.state-sealed", "expires after a day", async () => {
    const clock = createTestClock()
    const house = await start({ runtime: clock })
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    clock.set(clock.now() + 24 * 60 * 60_000)
    expect(await retry(client, "act", args, one, { first: sure })).toMatchObject(refused)
    expect(runs).toBe(1)
  })

  it("may be sent again when its request was lost before it was answered", async () => {
    handler = async (_args, ask) => {
      await ask.url("pay", "Pay.", "https://pay.example/1")
      return text("Paid.")
    }
    const house = await start()
    const client = await house.modern()
    const one = roundOf(await client.call("act", args))
    const giveUp = new AbortController()
    const lost = client.request(
      "tools/call",
      { name: "act", arguments: args, requestState: one.state, inputResponses: { pay: accept() } },
      { signal: giveUp.signal },
    )
    const [asked] = await house.hub.list({ tenant: "acme", state: "open", limit: 10 })
    if (asked === undefined) throw new Error("nothing was asked")
    await until(async () => (await house.hub.get(asked.id))?.status === "accepted")
    giveUp.abort()
    await lost
    await house.hub.complete(asked.id)
    await client.close()
    const next = await house.modern({ node: 1 })
    await until(async () =>
      (await house.storage.records(callKind).list({ tenant: "acme", limit: 9 })).every(({ lease }) => !lease),
    )
    expect(await retry(next, "act", args, one)).toMatchObject({ text: "Paid." })
  })
})
