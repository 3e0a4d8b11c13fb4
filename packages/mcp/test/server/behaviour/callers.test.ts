// Connections within one program, each opened for a person whom the program knows.

import type { Principal } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, passing, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { Client, InMemoryTransport } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { entryKind } from "../../../../calls/src/records.ts"
import { callerNow, holdable } from "../../../src/server/index.ts"

let house: House
afterEach(() => house.close())
const paid: unknown[] = []

function server(): McpServer {
  const made = new McpServer({ name: "callers", version: "1" })
  made.registerTool(
    "act",
    {},
    holdable(async (ask) => text(`${ask.caller?.subject} ${await ask.confirm("sure", "Sure?")}`)),
  )
  made.registerTool(
    "pay",
    {},
    holdable(async (ask) => {
      await ask.once("paid", () => void paid.push(ask.caller?.subject))
      return text(String(await ask.confirm("sure", "Sure?")))
    }),
  )
  made.registerTool("who", {}, (context) => text(String(callerNow(context)?.principal?.subject)))
  return made
}

async function connect(caller?: Principal, node = 0): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  house.nodes[node]?.mcp.stdio({ transport: there, ...(caller === undefined ? {} : { caller }) })
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler("elicitation/create", () => new Promise(() => {}))
  await client.connect(here)
  return client
}

describe("connections that are opened for a caller", () => {
  it("ask the caller, and no other person can answer", async () => {
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

  it("belong to the given caller, or to the local person if none is given", async () => {
    house = await createHouse({ server, settings: { callers: { local: alice } } })
    const clients = await Promise.all([connect(), connect(bob)])
    const results = await Promise.all(clients.map((client) => client.callTool({ name: "who" })))
    expect(results).toMatchObject([alice, bob].map(({ subject }) => ({ content: [{ text: subject }] })))
    await Promise.all(clients.map((client) => client.close()))
  })

  it("continue a call whose process died, on a new connection of the same person and client", async () => {
    const clock = createTestClock()
    let isAlive = true
    const mortal = { ...clock, after: (ms: number, then: () => void) => clock.after(ms, () => isAlive && then()) }
    house = await createHouse({ server, nodes: 2, runtime: (node) => (node === 0 ? mortal : clock) })
    const open = () => house.hub.list({ tenant: alice.tenant, state: "open", limit: 9 })
    const clients = [await connect(alice)]
    void clients[0]?.callTool({ name: "pay" }).catch(() => {})
    await until(async () => (await open()).length === 1)
    await until(async () => (await house.storage.records(entryKind).list({ tenant: "acme", limit: 9 })).length === 2)
    isAlive = false
    clients.push(await connect(alice, 1), await connect(bob, 1))
    const [again, others] = clients.slice(1).map((client) => client.callTool({ name: "pay" }))
    await passing(
      clock,
      until(() => paid.length === 2),
    )
    await clock.advance(30_000)
    expect(await open()).toHaveLength(2)
    for (const { id } of await open())
      for (const by of [alice, bob]) await house.hub.answer(id, { by, action: "accept", content: { confirmed: true } })
    for (const call of [again, others]) expect(await call).toMatchObject({ content: [{ text: "true" }] })
    expect(paid).toEqual([alice.subject, bob.subject])
    await Promise.all(clients.map((client) => client.close()))
  })
})
