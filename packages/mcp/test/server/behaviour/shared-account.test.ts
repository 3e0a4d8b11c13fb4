// One account requested in several places of a handler, as by independent functions.

import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { holdable } from "../../../src/server/index.ts"

let house: House
let person: PersonAtPages
afterEach(async () => {
  await person.close()
  await house.close()
})

async function start(): Promise<void> {
  const server = () => {
    const made = new McpServer({ name: "accounts", version: "1" })
    made.registerTool(
      "both",
      {},
      holdable(async (ask) => {
        const [one, two] = await Promise.all([
          ask.connection("drive", { scopes: ["files"] }),
          ask.connection("drive", { scopes: ["files"] }),
        ])
        return text(`${one.id === two.id}`)
      }),
    )
    return made
  }
  house = await createHouse({ server, drive: () => new Response(null, { status: 204 }) })
  person = createPersonAtPages(house.storage, house.keys)
}

describe("an account that two places ask for at the same time", () => {
  it("is one question on 2026-07-28", async () => {
    await start()
    const client = await house.modern()
    const one = roundOf(await client.call("both"))
    expect(Object.keys(one.requests)).toEqual(["connection drive"])
    await person.finishes(await person.question())
    expect(await retry(client, "both", {}, one, { "connection drive": accept() })).toMatchObject({ text: "true" })
  })

  it("is one prompt in an older client", async () => {
    await start()
    const client = await house.raw({ answer: () => ({ action: "accept" }) })
    const called = client.call("both")
    await person.comes()
    await person.finishes(await person.question())
    expect(await called).toMatchObject({ text: "true" })
    expect(client.prompts).toHaveLength(1)
  })
})
