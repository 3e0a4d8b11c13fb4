// A request to an MCP server of this process that is sent again, because the process that sent it first has died: it is
// the same call, whatever that process had stored of it.

import type { Storage } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { Client, InMemoryTransport, isInputRequiredResult } from "@modelcontextprotocol/client"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, expect, it } from "vitest"
import { z } from "zod"
import { inProcess } from "../../src/client/index.ts"
import type { Mcp } from "../../src/server/index.ts"
import { createMcp, holdable } from "../../src/server/index.ts"

let caller: Caller
let deeds: string[]
let closers: (() => Promise<void>)[]

beforeEach(() => {
  deeds = []
  caller = createCaller()
  closers = [caller.close]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

function serve(storage: Storage = caller.storage): Mcp {
  const { hub, keys } = caller
  const mcp = createMcp({ hub, storage, keys, name: "shop", callers: "anonymous", addresses: "none", server })
  closers.push(mcp.close)
  return mcp
}

function server(): McpServer {
  const made = new McpServer({ name: "shop", version: "1" })
  const input = { inputSchema: z.object({ what: z.string() }) }
  made.registerTool(
    "order",
    input,
    holdable(async ({ what }, ask) => {
      if (!(await ask.confirm("sure", `Order ${what}?`))) return text("not ordered")
      await ask.once("ordered", () => deeds.push(what))
      return text(`ordered ${what}`)
    }),
  )
  made.registerTool(
    "count",
    input,
    holdable(async ({ what }, ask) => text(await ask.once("counted", () => `${what}: ${deeds.push(what)}`))),
  )
  return made
}

/** Makes a call for a run, with the id that the run gives it. */
async function request(mcp: Mcp, tool: string, call: string | undefined): Promise<unknown> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const served = mcp.stdio({ transport: there, caller: alice, parent: "call run", call })
  const client = new Client(
    { name: "run", version: "1" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      inputRequired: { autoFulfill: false },
    },
  )
  await client.connect(here)
  closers.push(async () => {
    await client.close()
    await served.close()
  })
  return client.callTool({ name: tool, arguments: { what: "tea" } }, { allowInputRequired: true })
}

const asked = async () => (await caller.hub.list({ tenant: "acme", state: "all", limit: 99 })).map(({ id }) => id)

/** The storage of a process that dies before it stores a call. */
function dying(): { readonly storage: Storage; readonly died: Promise<void> } {
  const { storage } = caller
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const records: Storage["records"] = (kind) => {
    const all = storage.records(kind)
    if (kind.name !== "call") return all
    const insert = (): Promise<boolean> => {
      resolve()
      return new Promise(() => {})
    }
    return { ...all, insert }
  }
  return { storage: { ...storage, records }, died }
}

it("joins the question that the first request had asked before its call was stored", async () => {
  const { storage, died } = dying()
  request(serve(storage), "order", "c1").catch(() => {})
  await died
  const [first] = await asked()
  expect(isInputRequiredResult(await request(serve(), "order", "c1"))).toBe(true)
  expect(await asked()).toEqual([first])
})

it("gets the result that the first request had, and does nothing twice", async () => {
  const mcp = serve()
  expect(await request(mcp, "count", "c1")).toMatchObject({ content: [{ text: "tea: 1" }] })
  expect(await request(mcp, "count", "c1")).toMatchObject({ content: [{ text: "tea: 1" }] })
  expect(await request(serve(), "count", "c1")).toMatchObject({ content: [{ text: "tea: 1" }] })
  expect(await request(mcp, "count", "c2")).toMatchObject({ content: [{ text: "tea: 2" }] })
})

it("is recognised by an id that each call of a run keeps over its requests", async () => {
  const mcp = serve()
  const calls: (string | undefined)[] = []
  const stdio: Mcp["stdio"] = (options) => {
    calls.push(options?.call)
    return mcp.stdio(options)
  }
  const peer = inProcess({ ...mcp, stdio } as never, { name: "shop", caller: alice })
  const orders = caller.run((ask) =>
    Promise.all(
      ["one", "two"].map((scope) => peer.callTool(ask.scope(scope), { name: "order", arguments: { what: "tea" } })),
    ),
  )
  for (const question of await caller.questions(2)) await caller.answer(question, { confirmed: "yes" })
  await orders
  expect(deeds).toEqual(["tea", "tea"])
  expect(calls).not.toContain(undefined)
  expect(new Set(calls).size).toBe(2)
  expect(calls.length).toBeGreaterThanOrEqual(4)
})
