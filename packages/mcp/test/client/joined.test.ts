// An MCP server of the same process: what its tools ask is one question at the hub, which the calling run joins.

import { parentOfCall } from "@holdpoint/calls"
import { alice } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { Client, InMemoryTransport, isInputRequiredResult } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { inProcess } from "../../src/client/index.ts"
import type { Mcp } from "../../src/server/index.ts"
import { createMcp, holdable } from "../../src/server/index.ts"

let caller: Caller
let mcp: Mcp
let deeds: string[]
let duringDeletion: () => Promise<void>

beforeEach(() => {
  deeds = []
  duringDeletion = async () => {}
  caller = createCaller()
  const { hub, storage, keys } = caller
  mcp = createMcp({ hub, storage, keys, name: "notes", callers: "anonymous", addresses: "none", server })
})
afterEach(async () => {
  await mcp.close()
  await caller.close()
  expect(caller.reports).toEqual([])
})

function server(): McpServer {
  const made = new McpServer({ name: "notes", version: "1" })
  made.registerTool(
    "delete_note",
    { inputSchema: z.object({ title: z.string() }), outputSchema: z.object({ deleted: z.string() }) },
    holdable(async ({ title }, ask) => {
      await ask.once("looked", () => deeds.push(`looked ${title}`))
      if (!(await ask.confirm("sure", `Delete “${title}”?`)))
        return { ...text("Kept."), structuredContent: { deleted: "" } }
      const { why } = await ask.form("why", "Why?", z.object({ why: z.string() }))
      await ask.once("deleted", async () => {
        deeds.push(`deleted ${title}`)
        await duringDeletion()
      })
      return {
        structuredContent: { deleted: title },
        content: [{ type: "text", text: `Deleted for ${ask.caller?.subject}: ${why}` }],
      }
    }),
  )
  return made
}

const all = () => caller.hub.list({ tenant: "acme", state: "all", limit: 99 })

describe("A question of a server of this process", () => {
  it("is one record, belongs to the run, and resumes it when answered", async () => {
    const peer = inProcess(mcp, { name: "notes", caller: alice })
    const [tool] = await peer.listTools()
    expect(tool?.name).toBe("delete_note")
    const called = caller.call(peer, { name: "delete_note", arguments: { title: "shopping" } })
    const [first] = await caller.questions()
    expect(first).toMatchObject({ message: "Delete “shopping”?", requester: { id: "notes" } })
    expect(first?.parent?.startsWith(parentOfCall(""))).toBe(true)
    await caller.answer(first, { confirmed: "yes" })
    const [second] = await caller.questions()
    expect(second?.message).toBe("Why?")
    expect(await all()).toHaveLength(2)
    await caller.answer(second, { why: "old" })
    expect(await called).toBe("Deleted for alice: old")
    expect(await all()).toHaveLength(2)
    expect(deeds).toEqual(["looked shopping", "deleted shopping"])
  })

  it("has its id sent only on a connection whose opener waits for it", async () => {
    const requestOf = async (parent?: string): Promise<unknown> => {
      const [here, there] = InMemoryTransport.createLinkedPair()
      const served = mcp.stdio({ transport: there, caller: alice, ...(parent === undefined ? {} : { parent }) })
      const client = new Client(
        { name: `client ${parent}`, version: "1" },
        {
          capabilities: { elicitation: { form: {} } },
          versionNegotiation: { mode: { pin: "2026-07-28" } },
          inputRequired: { autoFulfill: false },
        },
      )
      await client.connect(here)
      const call = { name: "delete_note", arguments: { title: "shopping" } }
      const result: unknown = await client.callTool(call, { allowInputRequired: true })
      await client.close()
      await served.close()
      return isInputRequiredResult(result) ? result.inputRequests?.sure?.params : undefined
    }
    expect(await requestOf()).not.toHaveProperty("_meta")
    const named = await requestOf(parentOfCall("run"))
    const [question] = (await all()).filter(({ parent }) => parent === parentOfCall("run"))
    expect(named).toMatchObject({ _meta: { "holdpoint/elicitationId": question?.id } })
  })

  it("that is declined reaches the tool as declined", async () => {
    const peer = inProcess(mcp, { name: "notes", caller: alice })
    const called = caller.call(peer, { name: "delete_note", arguments: { title: "shopping" } })
    await caller.refuse((await caller.questions())[0])
    expect(await called).toMatch(/^The user was asked and said no\./)
    expect(deeds).toEqual(["looked shopping"])
  })

  it("whose answer is taken back too late does not stop the tool, and the run gets its result", async () => {
    const peer = inProcess(mcp, { name: "notes", caller: alice })
    const called = caller.call(peer, { name: "delete_note", arguments: { title: "shopping" } })
    const [sure] = await caller.questions()
    await caller.answer(sure, { confirmed: "yes" })
    duringDeletion = async () => {
      expect(await caller.hub.answer(sure?.id ?? "", { by: alice, action: "decline" })).toMatchObject({ ok: false })
      // The signals of both calls would abort in the next turns.
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await until(async () => (await caller.questions())[0]?.message === "Why?")
    await caller.answer((await caller.questions())[0], { why: "old" })
    expect(await called).toBe("Deleted for alice: old")
    expect(deeds).toEqual(["looked shopping", "deleted shopping"])
  })

  it("is kept apart from the question of another call in the same run", async () => {
    const peer = inProcess(mcp, { name: "notes", caller: alice })
    const titles = ["one", "two"]
    const called = caller.run((ask) =>
      Promise.all(
        titles.map((title) => peer.callTool(ask.scope(title), { name: "delete_note", arguments: { title } })),
      ),
    )
    const [first, second] = (await caller.questions(2)).toSorted((a, b) => (a.message < b.message ? -1 : 1))
    await caller.answer(first, { confirmed: "no" })
    await caller.answer(second, { confirmed: "yes" })
    await until(async () => (await caller.questions())[0]?.message === "Why?")
    await caller.answer((await caller.questions())[0], { why: "old" })
    expect((await called).map(({ content }) => content)).toMatchObject([
      [{ text: "Kept." }],
      [{ text: "Deleted for alice: old" }],
    ])
    expect(deeds.filter((deed) => deed.startsWith("deleted"))).toEqual(["deleted two"])
  })
})
