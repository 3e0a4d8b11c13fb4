// A link of another server, which does not tell when it is done: agreeing to open it is all that can be waited for.

import { alice } from "@holdpoint/testkit/fixtures"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { holdable } from "../../../src/server/index.ts"

let house: House
afterEach(() => house.close())

async function start(): Promise<void> {
  house = await createHouse({
    server() {
      const server = new McpServer({ name: "accepted", version: "1" })
      const open = holdable(async (ask) => {
        await ask.url("open", "Please open it.", "https://elsewhere.example/1", { until: "accepted" })
        return text("Went there.")
      })
      server.registerTool("open", {}, open)
      return server
    },
  })
}
const open = () => house.hub.list({ tenant: alice.tenant, state: "open", limit: 9 })
const wentThere = { isError: false, text: "Went there." }

describe("a link that counts when it is accepted", () => {
  it("continues the call when the client accepts, and stays open for the asker to complete, on 2026-07-28", async () => {
    await start()
    const client = await house.modern()
    const round = roundOf(await client.call("open"))
    expect(await retry(client, "open", {}, round, { open: accept() })).toMatchObject(wentThere)
    const [asked] = await open()
    expect(asked?.status).toBe("accepted")
    expect(await house.hub.complete(asked?.id ?? "")).toMatchObject({ ok: true })
  })

  it("continues a held call of 2025 when it is accepted in the client or on the page", async () => {
    for (const answer of [() => accept() as Reply, () => new Promise<Reply>(() => {})]) {
      await start()
      const client = await house.raw({ answer })
      const called = client.call("open", {})
      await until(async () => (await open()).length === 1)
      await house.hub.answer((await open())[0]?.id ?? "", { by: alice, action: "accept" })
      expect(await called).toMatchObject(wentThere)
      if (client.prompts.length === 0) throw new Error("nothing was shown")
    }
  })

  it("ends the call when the client declines", async () => {
    await start()
    const client = await house.modern()
    const round = roundOf(await client.call("open"))
    expect(await retry(client, "open", {}, round, { open: { action: "decline" } })).toMatchObject({ isError: true })
  })
})
