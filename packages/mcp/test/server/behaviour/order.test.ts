// The order of questions, from one run of a handler to the next.

import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House | undefined
afterEach(() => house?.close())

const yes = { action: "accept", content: { confirmed: true } }

/** Serves a handler that gets the number of its run. */
async function serve(handler: (ask: Ask, run: number) => Promise<string>) {
  let runs = 0
  house = await createHouse({
    settings: { strict: true },
    server() {
      const server = new McpServer({ name: "order", version: "1.0.0" })
      const act = holdable(async (ask) => {
        runs++
        return { content: [{ type: "text" as const, text: await handler(ask, runs) }] }
      })
      server.registerTool("act", {}, act)
      return server
    },
  })
  return house.modern()
}

describe("a handler in strict mode", () => {
  verifies("mcp.same-way", "fails loudly when it swaps two questions that it asked one after the other", async () => {
    const client = await serve(async (ask, run) => {
      const keys = run < 3 ? ["a", "b"] : ["b", "a"]
      for (const key of keys) await ask.confirm(key, `${key}?`)
      return "done"
    })
    const one = roundOf(await client.call("act", {}))
    const two = roundOf(await retry(client, "act", {}, one, { a: yes }))
    const three = await retry(client, "act", {}, two, { b: yes })
    expect(three).toMatchObject({ isError: true, text: expect.stringMatching(/“b” before “a”/) })
  })

  verifies("mcp.same-way", "may ask parallel questions in any order", async () => {
    const client = await serve(async (ask, run) => {
      const keys = run % 2 === 1 ? ["a", "b"] : ["b", "a"]
      const chain = async (key: string) => [await ask.confirm(key, `${key}?`), await ask.confirm(`${key}2`, `${key}2?`)]
      return String(await Promise.all(keys.map(chain)))
    })
    const one = roundOf(await client.call("act", {}))
    expect(Object.keys(one.requests).sort()).toEqual(["a", "b"])
    const two = roundOf(await retry(client, "act", {}, one, { a: yes, b: yes }))
    expect(Object.keys(two.requests).sort()).toEqual(["a2", "b2"])
    const three = await retry(client, "act", {}, two, { a2: yes, b2: yes })
    expect(three).toMatchObject({ isError: false, text: "true,true,true,true" })
  })
})
