// What a prompt that was pushed to a client leaves behind when its call has ended.

import type { Entry } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect } from "vitest"
import { holdable } from "../../src/server/index.ts"

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** A server whose tool shows a link and goes on when the person agreed to open it. */
function visitServer(): McpServer {
  const server = new McpServer({ name: "visits", version: "1" })
  const visit = holdable(async (ask) => {
    await ask.url("page", "Open it?", "https://example.com/x", { until: "accepted" })
    return text("agreed")
  })
  server.registerTool("visit", {}, visit)
  return server
}

describe("a link whose first call was given up, and which was accepted since", () => {
  verifies("mcp.giving-up", "leaves nothing behind when the second call finds the answer", async () => {
    const world = await createWorld({ server: visitServer })
    const promptShown = Promise.withResolvers<void>()
    const endpoint = await world.endpoint()
    const client = await open("v2 legacy", endpoint, {
      answer() {
        promptShown.resolve()
        return new Promise(() => {})
      },
    })
    cleanUps.push(() => client.close())
    const stop = new AbortController()
    const first = client.call("visit", {}, { signal: stop.signal })
    await promptShown.promise
    const { id } = await world.person.question()
    stop.abort()
    await first
    await until(async () => (await world.storage.trail.read({ id, limit: 100 })).some(isGone))
    expect(await world.person.hub.answer(id, { by: alice, action: "accept", via: "web" })).toMatchObject({ ok: true })
    expect(await client.call("visit", {})).toMatchObject({ text: "agreed" })
    const startedAt = performance.now()
    await world.close()
    // A background task that never ends would delay the closing of the hub by ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})

/** Whether the entry says that the call no longer waits for the question. */
const isGone = ({ kind, detail }: Entry): boolean => kind === "asker" && detail.message === "gone"
