// Once the person agreed to open it, a link with `until: "held"` is waited for no longer than one hold time.

import { isRefusal } from "@holdpoint/calls"
import type { ClientKind } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { createWorld, type World } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, expect } from "vitest"
import { holdable } from "../../../src/server/index.ts"

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

function server(): McpServer {
  const made = new McpServer({ name: "shop", version: "1" })
  made.registerTool(
    "buy",
    {},
    holdable(async (ask) => {
      try {
        await ask.url("pay", "Please pay.", "https://pay.example/1", { until: "held" })
        return text("Bought.")
      } catch (error) {
        return text(isRefusal(error) ? `${error.outcome} ${error.reason?.code}` : String(error))
      }
    }),
  )
  return made
}

const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v1.32", "raw 2025-06-18"]

verifies.each("mcp.until-held")(kinds)("%s that accepts learns in one hold that the link is not done", async (kind) => {
  world = await createWorld({ server, holdMs: 200 })
  const answer = () => ({ action: "accept" as const, content: { acknowledged: true } })
  const client = await open(kind, await world.endpoint(), {
    answer: (prompt) => (prompt.url === undefined ? answer() : { action: "accept" }),
  })
  expect(await client.call("buy")).toMatchObject({ text: "expired not_yet" })
  expect(await world.person.statuses()).toEqual(["accepted"])
  expect(client.prompts).toHaveLength(1)
  await client.close()
})

verifies.each("mcp.until-held")(kinds)("%s that accepts and finishes in time continues", async (kind) => {
  world = await createWorld({ server, holdMs: 20_000 })
  const { person } = world
  const client = await open(kind, await world.endpoint(), {
    async answer(prompt) {
      await person.finishes(await person.question())
      return prompt.url === undefined ? { action: "accept", content: { acknowledged: true } } : { action: "accept" }
    },
  })
  expect(await client.call("buy")).toMatchObject({ text: "Bought." })
  await client.close()
})
