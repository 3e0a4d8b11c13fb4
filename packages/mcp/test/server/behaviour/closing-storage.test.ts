// A process that closes while its storage fails, in the middle of a call that has done something. Its client is told to
// call again only if the same call, made again, continues that one.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage, HoldpointError } from "@holdpoint/hub"
import type { KeptRecord, Records } from "@holdpoint/hub/storage"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, expect, it } from "vitest"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House
afterEach(() => house.close())

/**
 * Two servers on one storage. After the effect or the question, the storage of the first fails for that many writes, and
 * then the server closes.
 */
async function open(failures: number, after: "effect" | "question" = "effect") {
  const storage = createMemoryStorage()
  const state = { effects: 0, left: 0 }
  const guarded =
    <A extends readonly unknown[]>(write: (...given: A) => Promise<boolean>) =>
    async (...given: A): Promise<boolean> => {
      if (state.left > 0) {
        if (state.left-- === failures) setTimeout(() => house.nodes[0]?.mcp.close().catch(() => {}), 30)
        throw new HoldpointError("store_unavailable", "away")
      }
      // A write takes its time, so that an answer that does not wait for it is sent before.
      if (state.effects > 0) await new Promise((resolve) => setTimeout(resolve, 50))
      return write(...given)
    }
  const guard = <R extends KeptRecord>(records: Records<R>): Records<R> => {
    const { insert, replace, remove } = records
    return { ...records, insert: guarded(insert), replace: guarded(replace), remove: guarded(remove) }
  }
  const insert: Storage["store"]["insert"] = async (...given) => {
    const inserted = await storage.store.insert(...given)
    if (after === "question") state.left = failures
    return inserted
  }
  const failing: Storage = {
    ...storage,
    store: { ...storage.store, insert },
    close: async () => {},
    records: (kind) => (kind.name === "worker" ? storage.records(kind) : guard(storage.records(kind))),
  }
  const storages = [failing, storage, storage]
  let opened = 0
  house = await createHouse({
    nodes: 2,
    open: async () => storages[opened++] ?? storage,
    server() {
      const server = new McpServer({ name: "bank", version: "1" })
      const pay = holdable(async (ask) => {
        if (!(await ask.confirm("sure", "Pay?"))) return text("not paid")
        await ask.once("paid", () => {
          state.effects++
          if (after === "effect") state.left = failures
        })
        return text(`paid ${state.effects} times`)
      })
      server.registerTool("pay", {}, pay)
      return server
    },
  })
  const client = await house.modern()
  return { storage, state, client }
}

async function start(failures: number) {
  const { storage, state, client } = await open(failures)
  const round = roundOf(await client.call("pay"))
  const called = await retry(client, "pay", {}, round, { sure: accept({ confirmed: "yes" }) })
  const [left] = await storage.records(callKind).list({ tenant: alice.tenant, limit: 9 })
  client.to(1)
  return { state, called, left, again: () => client.call("pay") }
}

it("tells the client to call again when the call was left for another process, which continues it", async () => {
  const { state, called, left, again } = await start(2)
  // Another process on the machine would see that this one is alive, and begin a new call.
  expect(left?.lease).toBeUndefined()
  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("Call again in a moment") })
  expect(await again()).toMatchObject({ isError: false, text: "paid 1 times" })
  expect(state.effects).toBe(1)
})

it("says that the outcome is unknown when the call could not be left for another process", async () => {
  const { state, called } = await start(1_000)
  state.left = 0
  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("It is unknown whether") })
  expect(called).not.toMatchObject({ text: expect.stringContaining("Call again in a moment") })
})

it("leaves a call that has only asked, so that nothing is asked twice when it is made again", async () => {
  const { client } = await open(2, "question")
  expect(await client.call("pay")).toMatchObject({ text: expect.stringContaining("Call again in a moment") })
  client.to(1)
  const round = roundOf(await client.call("pay"))
  expect(await house.hub.list({ tenant: alice.tenant, state: "all", limit: 9 })).toHaveLength(1)
  expect(await retry(client, "pay", {}, round, { sure: accept({ confirmed: "yes" }) })).toMatchObject({
    text: "paid 1 times",
  })
})
