// A foreign server that asks without end: its questions have a bound in one call, and few places among the questions of
// a person, so that another program's question still reaches them.

import { createHub, inbox } from "@holdpoint/hub"
import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, expect, it } from "vitest"
import { connectMcp, type McpPeer } from "../../src/client/index.ts"
import type { FirstServer } from "./first-servers.ts"
import { createFirstServer } from "./first-servers.ts"
import type { ModernServer } from "./modern-servers.ts"
import { createModernServer } from "./modern-servers.ts"

let caller: Caller
let [modern, first]: [ModernServer, FirstServer] = [createModernServer(), createFirstServer()]
let peers: McpPeer[]

beforeEach(() => {
  caller = createCaller()
  ;[modern, first] = [createModernServer(), createFirstServer()]
  peers = []
})
afterEach(async () => {
  await Promise.all(peers.map((peer) => peer.close()))
  await modern.close()
  await caller.close()
})

const open = (server: Pick<FirstServer, "open">, name = "hostile"): McpPeer => {
  const peer = connectMcp({ name, transport: () => server.open() })
  peers.push(peer)
  return peer
}
const form = { mode: "form", requestedSchema: { type: "object", properties: { a: { type: "string" } } } }
const requests = (count: number): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_none, at) => [
      `q${at}`,
      { method: "elicitation/create", params: { ...form, message: `Question ${at}?` } },
    ]),
  )
const openQuestions = () => caller.hub.list({ tenant: "acme", principal: alice, state: "open", limit: 99 })

verifies(
  "mcp.client-floods-bounded",
  "of 200 in one round reaches no person: the call ends, and the model learns why",
  async () => {
    modern.script = [{ requests: requests(200) }]
    expect(await caller.call(open(modern), { name: "scripted" })).toMatch(/asked more than 20 questions in one call/)
    expect(await openQuestions()).toEqual([])
    expect(modern.requests).toHaveLength(1)
  },
)

it("of a few in each round ends when one call has asked 20", async () => {
  modern.script = Array.from({ length: 30 }, () => ({ requests: requests(3) }))
  const called = caller.call(open(modern), { name: "scripted" })
  const declining = (async () => {
    for (let round = 0; round < 6; round++) {
      await until(async () => (await openQuestions()).length === 3)
      for (const question of await openQuestions()) await caller.refuse(question)
    }
  })()
  expect(await called).toMatch(/asked more than 20 questions/)
  await declining
  expect(modern.requests).toHaveLength(7)
})

it("of 20 in a round has five places: the others are cancelled for the server, and the model learns why", async () => {
  modern.script = [{ requests: requests(20) }]
  const called = caller.call(open(modern), { name: "scripted" })
  const asked = await caller.questions(5)
  for (const question of asked) await caller.answer(question, { a: "x" })
  expect(await called).toMatch(/Done\..*was told that the question was cancelled.*5 open questions/s)
  const replies = Object.values(modern.requests[1]?.responses as Readonly<Record<string, { action: string }>>)
  expect(replies.filter(({ action }) => action === "accept")).toHaveLength(5)
  expect(replies.filter(({ action }) => action === "cancel")).toHaveLength(15)
})

it("of one program leaves places for the urgent question of another", async () => {
  const hub = createHub({ storage: caller.storage, outlets: [inbox()] })
  const greedy = Array.from({ length: 30 }, (_none, at) => hub.ask({ ...formDraft, message: `Again ${at}?` }))
  const results = await Promise.allSettled(greedy)
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(16)
  await expect(hub.ask(formDraft)).rejects.toMatchObject({ code: "too_many_for_program" })
  const urgent = { ...formDraft, message: "Fire?", requester: { id: "alarm" } }
  expect(await hub.ask(urgent)).toMatchObject({ status: "pending" })
  await hub.close()
})

it("of a server that pushes question after question ends its call at the twentieth", async () => {
  const called = caller.call(open(first), { name: "nag" })
  let answered = 0
  const refusing = (async () => {
    while (answered < 20) {
      const [question] = await caller.questions()
      await caller.refuse(question)
      answered++
    }
  })()
  expect(await called).toMatch(/asked more than 20 questions in one call/)
  await refusing
  await until(() => first.aborted.includes("nag"))
})
