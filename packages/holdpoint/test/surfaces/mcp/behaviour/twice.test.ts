// The same call of an older client, made twice at once: what it does once is done once.

import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect } from "vitest"
import { holdable } from "../../../../src/surfaces/mcp/index.ts"
import { alice } from "../../../fixtures.ts"
import { verifies } from "../../../verifies.ts"
import type { House } from "./house.ts"
import { createHouse } from "./house.ts"

let house: House | undefined
afterEach(() => house?.close())

describe("two calls with the same arguments, of which both go on with what was asked before", () => {
  verifies("mcp.once", "do an effect once, at whichever process", async () => {
    let charges = 0
    const { promise: isSlow, resolve: goOn } = Promise.withResolvers<void>()
    house = await createHouse({
      nodes: 2,
      settings: { urlWay: "error" },
      server() {
        const server = new McpServer({ name: "twice", version: "1.0.0" })
        const pay = holdable(async (ask) => {
          await ask.url("pay", "Pay?", "https://pay.example/7")
          const charge = async () => {
            charges++
            await isSlow
            return charges
          }
          return { content: [{ type: "text" as const, text: `charged ${await ask.once("charge", charge)}` }] }
        })
        server.registerTool("pay", {}, pay)
        return server
      },
    })
    const client = await house.raw({ answer: () => ({ action: "cancel" }) })
    expect(await client.call("pay", {})).toMatchObject({ kind: "error", code: -32_042 })
    const [asked] = await house.hub.list({ tenant: alice.tenant, state: "open", limit: 10 })
    await house.hub.answer(asked?.id ?? "", { by: alice, action: "accept" })
    await house.hub.complete(asked?.id ?? "")
    const first = client.call("pay", {})
    client.to(1)
    const second = client.call("pay", {})
    const early = await Promise.race([first, second])
    expect(early).toMatchObject({
      isError: true,
      text: expect.stringMatching(/“charge” is being done|whether “charge” was done/),
    })
    goOn()
    const texts = (await Promise.all([first, second])).map((result) => (result.kind === "result" ? result.text : ""))
    expect(texts).toContain("charged 1")
    expect(charges).toBe(1)
  })
})
