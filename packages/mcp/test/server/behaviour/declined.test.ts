// A declined question stays declined for the call, whatever the handler does next.

import { isRefusal } from "@holdpoint/calls"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, expect } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

const asking: readonly [string, string, (ask: Ask) => Promise<unknown>][] = [
  ["a form", "sure", (ask) => ask.confirm("sure", "Sure?")],
  ["a link", "pay", (ask) => ask.url("pay", "Please pay.", "https://pay.example/1")],
  ["an account", "connection drive", (ask) => ask.connection("drive")],
]

verifies.each("mcp.no-is-kept")(asking)(
  "%s that was declined is not asked again when the handler asks something else",
  async (_what, key, askPerson) => {
    const outcomes: string[] = []
    const server = () => {
      const made = new McpServer({ name: "no", version: "1" })
      made.registerTool(
        "act",
        {},
        holdable(async (ask) => {
          const how = await askPerson(ask).catch((error: unknown) => (isRefusal(error) ? error.outcome : "broken"))
          outcomes.push(String(how))
          await ask.confirm("instead", "Without it, then?")
          return text(String(how))
        }),
      )
      return made
    }
    const house = await createHouse({ server, drive: () => new Response(null, { status: 204 }) })
    houses.push(house)
    const client = await house.modern()
    const one = roundOf(await client.call("act", {}))
    expect(Object.keys(one.requests)).toEqual([key])
    const two = roundOf(await retry(client, "act", {}, one, { [key]: { action: "decline" } }))
    expect(Object.keys(two.requests)).toEqual(["instead"])
    // The client cannot change the answer afterwards either.
    const answers = { instead: accept({ confirmed: true }), [key]: accept() }
    expect(await retry(client, "act", {}, two, answers)).toMatchObject({ isError: false, text: "declined" })
    expect(outcomes).toEqual(["declined", "declined"])
  },
)
