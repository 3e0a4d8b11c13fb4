// A tool of a server in the same process that needs an account: the consent is one question, which is asked in the inbox,
// and the run that called the tool continues when the account is connected.

import { alice } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { inProcess } from "../../src/client/index.ts"
import { holdable } from "../../src/server/index.ts"

let caller: Caller
let house: House
let person: PersonAtPages

beforeEach(async () => {
  caller = createCaller()
  const { storage, keys } = caller
  house = await createHouse({ server, storage, keys, drive: () => new Response("two files") })
  person = createPersonAtPages(storage, keys)
})
afterEach(async () => {
  await person.close()
  await house.close()
  await caller.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "drive", version: "1" })
  made.registerTool(
    "list_files",
    {},
    holdable(async (ask) => {
      const drive = await ask.connection("drive", { scopes: ["files"] })
      return text(await (await drive.fetch("https://api.drive.example/files")).text())
    }),
  )
  return made
}

describe("A consent that a tool of the same process needs", () => {
  it("is one record and one row in the inbox, and the run continues when the account is connected", async () => {
    const [node] = house.nodes
    if (node === undefined) throw new Error("There is no server.")
    const peer = inProcess(node.mcp, { name: "drive", caller: alice })
    const called = caller.call(peer, { name: "list_files" })
    const question = (await caller.questions())[0]
    if (question === undefined) throw new Error("There is no question.")
    const waits = async () =>
      (await caller.hub.trail({ id: question.id, limit: 99 })).filter(({ kind }) => kind === "asker")
    await until(async () => (await waits()).some(({ detail }) => detail.message === "waits"))
    const inboxRows = { tenant: alice.tenant, principal: alice, state: "all", limit: 9 } as const
    expect(await caller.hub.list(inboxRows)).toHaveLength(1)
    await person.finishes(question)
    expect(await called).toBe("two files")
    expect(await caller.hub.list(inboxRows)).toMatchObject([{ id: question.id, mode: "url", status: "completed" }])
  })

  it("resumes two runs that wait for the same account", async () => {
    const [node] = house.nodes
    if (node === undefined) throw new Error("There is no server.")
    const peer = inProcess(node.mcp, { name: "drive", caller: alice })
    const calls = [1, 2].map(() => caller.call(peer, { name: "list_files" }))
    const [question] = await caller.questions()
    if (question === undefined) throw new Error("There is no question.")
    const waiting = async () =>
      (await caller.hub.trail({ id: question.id, limit: 99 })).filter(({ detail }) => detail.message === "waits")
    await until(async () => (await waiting()).length === 2)
    await person.finishes(question)
    expect(await Promise.all(calls)).toEqual(["two files", "two files"])
    expect(await caller.hub.list({ tenant: alice.tenant, state: "all", limit: 9 })).toHaveLength(1)
  })
})
