// Connections within one program, each opened for a person whom the program knows.

import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import type { Principal } from "../../../../src/core/principal.ts"
import { callerNow, holdable } from "../../../../src/surfaces/mcp/index.ts"
import { alice, bob } from "../../../fixtures.ts"
import { text } from "../tools.ts"
import type { House } from "./house.ts"
import { createHouse, until } from "./house.ts"

let house: House
afterEach(() => house.close())

function server(): McpServer {
  const made = new McpServer({ name: "callers", version: "1" })
  made.registerTool(
    "act",
    {},
    holdable(async (ask) => text(`${ask.caller?.subject} ${await ask.confirm("sure", "Sure?")}`)),
  )
  made.registerTool("who", {}, (context) => text(String(callerNow(context)?.principal?.subject)))
  return made
}

async function connect(caller?: Principal): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  house.nodes[0]?.mcp.stdio({ transport: there, ...(caller === undefined ? {} : { caller }) })
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler("elicitation/create", () => new Promise(() => {}))
  await client.connect(here)
  return client
}

describe("connections that are opened for a caller", () => {
  it("ask that person, and no other answers for them", async () => {
    house = await createHouse({ server })
    const clients = await Promise.all([connect(alice), connect(bob)])
    const calls = clients.map((client) => client.callTool({ name: "act" }))
    const open = () => house.hub.list({ tenant: alice.tenant, state: "open", limit: 9 })
    await until(async () => (await open()).length === 2)
    const content = { confirmed: true }
    for (const { id } of await open()) {
      const answers = [alice, bob].map((by) => house.hub.answer(id, { by, action: "accept", content }))
      expect((await Promise.all(answers)).filter(({ ok }) => ok)).toHaveLength(1)
    }
    const texts = (await Promise.all(calls)).map(({ content: [said] }) => (said?.type === "text" ? said.text : ""))
    expect(texts).toEqual([`${alice.subject} true`, `${bob.subject} true`])
    await Promise.all(clients.map((client) => client.close()))
  })

  it("are the local person's where no caller is given, and else of the one that is", async () => {
    house = await createHouse({ server, settings: { callers: { local: alice } } })
    const clients = await Promise.all([connect(), connect(bob)])
    const said = await Promise.all(clients.map((client) => client.callTool({ name: "who" })))
    expect(said).toMatchObject([alice, bob].map(({ subject }) => ({ content: [{ text: subject }] })))
    await Promise.all(clients.map((client) => client.close()))
  })
})
