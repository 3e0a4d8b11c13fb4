// Runs that no call continues are ended with words, and a request that the storage fails is answered as what it is.

import { createMemoryStorage, form, HoldpointError, type Storage, text } from "@holdpoint/hub"
import { createSealer } from "@holdpoint/hub/sealing"
import type { KeptRecord, RecordKind, Records } from "@holdpoint/hub/storage"
import { createTestClock } from "@holdpoint/testing"
import { newKeys, question, startAgents, userMessage } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { createConversations } from "../src/conversations.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const config = { agents: { helper: { model: scriptedModel(() => ({ text: "hello" })) } } }
const hour = 3_600_000

const paying = scriptedModel(() => ({ calls: [{ tool: "pay", input: {} }] }))
const pay = { description: "Pays", inputSchema: { type: "object" }, execute: async () => "paid" } as const
const asking = { agents: { helper: { model: paying, tools: { pay }, policies: { pay: "ask" } } } } as const

describe("a run that has no call", () => {
  const begun = async (isPartOfCall?: true) => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const runtime = createTestClock()
    const server = await startAgents(config, { ...shared, runtime })
    if (!("principal" in server.identity)) throw new Error("not local")
    const { principal: person } = server.identity
    const conversations = createConversations({ ...shared, sealer: createSealer(shared.keys), runtime, keptMs: hour })
    const text = { type: "text" as const, text: "hello" }
    const run = await conversations.begin({
      ...{ person, name: "c1", agent: "helper", prompt: [], isPartOfCall },
      message: { id: "m", role: "user", parts: [text] },
    })
    if (run === undefined) throw new Error("no run")
    await runtime.advance(10 * 60_000)
    return { server, run: await conversations.get(run.id) }
  }

  it("is ended, and its reply says that nothing continues it", async () => {
    const { server, run } = await begun()
    expect(run?.status).toBe("failed")
    const reply = await (await server.get("/run/api/conversations/c1/stream")).text()
    expect(reply).toContain("What its tools had done by then stays done.")
    expect(reply).toContain('"finishReason":"error"')
  })

  it("is left alone while a call of an MCP client does its work", async () => {
    expect((await begun(true)).run?.status).toBe("running")
  })
})

it("ends with the questions that a process left behind which died before it noted them", async () => {
  const server = await startAgents(asking as never)
  const { elicitationId } = await question(await server.say("c1", "pay"))
  const first = await server.hub.get(elicitationId)
  if (first?.parent === undefined) throw new Error("no question")
  const { audience, requester, parent } = first
  const principal = audience.kind === "one" ? audience.principal : undefined
  const left = await server.hub.ask({
    ...{ requester, parent, context: { trigger: "approval" }, lifetimeMs: hour },
    ...{ message: "Pay?", form: form({ why: text() }), audience: principal as never },
  })
  await server.post("/run/api/chat/c1/stop", {})
  await expect.poll(async () => (await server.hub.get(left.id))?.status).toBe("cancelled")
  expect(await server.hub.get(left.id)).toMatchObject({ reason: { code: "call_over" } })
})

it("withdraws a question that was being asked when its reply was stopped", async () => {
  const storage = createMemoryStorage()
  const [begun, may] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const insert: Storage["store"]["insert"] = async (...given) => {
    begun.resolve(given[0].id)
    await may.promise
    return storage.store.insert(...given)
  }
  const server = await startAgents(asking as never, { storage: { ...storage, store: { ...storage.store, insert } } })
  const stream = await server.say("c1", "pay")
  const id = await begun.promise
  await server.post("/run/api/chat/c1/stop", {})
  expect((await stream.rest()).at(-1)?.type).toBe("abort")
  may.resolve()
  await expect.poll(async () => (await server.hub.get(id))?.status).toBe("cancelled")
})

/** A call, as far as a test has to know it. */
interface LeftCall extends KeptRecord {
  readonly lease?: { readonly holder: string; readonly worker: string }
}

/** The storage, and the calls that a server stores in it. */
function withCalls(storage: Storage) {
  const kinds: RecordKind<LeftCall>[] = []
  const records = <R extends KeptRecord>(kind: RecordKind<R>): Records<R> => {
    if (kind.name === "call") kinds.push(kind as unknown as RecordKind<LeftCall>)
    return storage.records(kind)
  }
  const calls = () => kinds.slice(0, 1).map((kind) => storage.records(kind))[0]
  return { storage: { ...storage, records }, calls }
}

describe("a run that has ended and left its call behind", () => {
  it("has its open question withdrawn, because an answer would do nothing", async () => {
    const { storage, calls } = withCalls(createMemoryStorage())
    const shared = { storage, keys: newKeys() }
    const first = await startAgents(asking as never, shared)
    const { elicitationId } = await question(await first.say("c1", "pay"))
    await first.close()
    // As a process leaves them that dies between the end of a run and the end of its call.
    const [call] = (await calls()?.list({ tenant: "local", limit: 2 })) ?? []
    if (call === undefined) throw new Error("no call")
    const sealer = createSealer(shared.keys)
    const conversations = createConversations({ ...shared, sealer, runtime: createTestClock(), keptMs: hour })
    await conversations.change(call.id, (run) => ({ ...run, status: "stopped" }))
    const dead = { holder: "a dead request", worker: "a dead process" }
    expect(await calls()?.replace({ ...call, version: call.version + 1, lease: dead })).toBe(true)

    await startAgents(asking as never, shared)
    await expect.poll(() => calls()?.list({ tenant: "local", limit: 2 })).toEqual([])
    expect(await shared.storage.store.get(elicitationId)).toMatchObject({
      status: "cancelled",
      reason: { code: "call_over" },
    })
  })
})

/** A storage whose reads and writes of records fail while `isAway`. */
function failing(storage: Storage) {
  const state = { isAway: false }
  const guarded = <R extends KeptRecord>(records: Records<R>): Records<R> =>
    new Proxy(records, {
      get: (target, name) =>
        state.isAway
          ? () => Promise.reject(new HoldpointError("store_unavailable", "postgres://secret@db is away"))
          : Reflect.get(target, name),
    })
  return { state, storage: { ...storage, records: ((kind) => guarded(storage.records(kind))) as Storage["records"] } }
}

describe("a request while the database is away", () => {
  it("is refused as 503 by the run API and over A2A", async () => {
    const { state, storage } = failing(createMemoryStorage())
    const server = await startAgents(config, { storage })
    const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: "hello" }] }
    const a2a = { "a2a-version": "1.0" }
    state.isAway = true
    const answers = await Promise.all([
      server.post("/run/api/chat", { id: "c1", messages: [userMessage("hello")] }),
      server.get("/run/api/conversations/c1/stream"),
      server.post("/a2a/helper/message:send", { message }, a2a),
      server.post("/a2a/helper", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }, a2a),
    ])
    state.isAway = false
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    for (const body of bodies) expect(body).toContain("cannot reach its database now")
    expect(bodies.join()).not.toContain("secret")
    expect(bodies.map((body) => JSON.parse(body).code)).toEqual(Array(4).fill("store_unavailable"))
  })
})
