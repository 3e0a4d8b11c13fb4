// Parts of one handler that use the same keys, each in its own scope.

import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House | undefined
afterEach(() => house?.close())

async function serve(handler: (ask: Ask) => Promise<string>): Promise<House> {
  house = await createHouse({
    nodes: 2,
    server() {
      const server = new McpServer({ name: "scopes", version: "1" })
      server.registerTool(
        "act",
        {},
        holdable(async (ask) => text(await handler(ask))),
      )
      return server
    },
  })
  return house
}

const yes = accept({ confirmed: true })

describe("scopes of a call", () => {
  it("have keys of their own, side by side and one in another, whichever process runs the handler", async () => {
    const done: string[] = []
    const tool = async (ask: Ask, name: string): Promise<string> => {
      const isSure = await ask.confirm("sure", `${name}?`)
      await ask.once("did", () => void done.push(name))
      const isMore = name === "a" && (await tool(ask.scope("part"), "a part")) !== ""
      return `${name} ${isSure}${isMore ? " and its part" : ""}`
    }
    const { modern } = await serve(async (ask) => {
      const both = await Promise.all(["a", "b"].map((name) => tool(ask.scope(name), name)))
      return [...both, await tool(ask, "itself")].join(", ")
    })
    const client = await modern()
    const one = roundOf(await client.call("act"))
    expect(Object.keys(one.requests)).toEqual(["a › sure", "b › sure"])
    client.to(1)
    const two = roundOf(await retry(client, "act", {}, one, { "a › sure": yes, "b › sure": yes }))
    expect(Object.keys(two.requests)).toEqual(["a › part › sure"])
    const three = roundOf(await retry(client, "act", {}, two, { "a › part › sure": yes }))
    client.to(0)
    expect(await retry(client, "act", {}, three, { sure: accept({ confirmed: false }) })).toMatchObject({
      text: "a true and its part, b true, itself false",
    })
    expect(done.toSorted()).toEqual(["a", "a part", "b", "itself"])
  })

  it.each([
    ["a question", (ask: Ask) => ask.confirm("a › sure", "Sure?")],
    ["an effect", (ask: Ask) => ask.once("a › did", () => {})],
    ["a scope", (ask: Ask) => ask.scope("a › b").confirm("sure", "Sure?")],
  ])("cannot be entered by the key of %s", async (_what, act) => {
    const { modern } = await serve(async (ask) => String(await act(ask)))
    const client = await modern()
    expect(await client.call("act")).toMatchObject({ isError: true, text: expect.stringContaining("between scopes") })
  })

  it("that are opened twice under one name are refused at the first key that is used twice", async () => {
    const { modern } = await serve(async (ask) => {
      await ask.scope("a").once("did", () => {})
      return String(await ask.scope("a").once("did", () => {}))
    })
    const client = await modern()
    expect(await client.call("act")).toMatchObject({ isError: true, text: expect.stringContaining("a › did") })
  })
})
