// One stream for a person: the replies of all conversations that a page shows, and the steps of their questions.

import { join } from "node:path"
import { createMemoryStorage, form, type Runtime, type Storage, systemRuntime, text } from "@holdpoint/hub"
import { openSqlite } from "@holdpoint/hub/sqlite"
import {
  type AgentsServer,
  answer,
  newKeys,
  publicUrl,
  showsQuestions,
  startAgents,
  userMessage,
} from "@holdpoint/testkit/agents/agents-server"
import {
  chunksOf,
  type EventsReader,
  isChunk,
  readEvents,
  type SeenEvent,
  wordsOf,
} from "@holdpoint/testkit/agents/read-events"
import { travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"

const elsewhere = { ...showsQuestions, prefer: "respond-async" }

async function post(server: AgentsServer, id: string, text: string, headers = elsewhere) {
  const response = await server.post("/run/api/chat", { id, messages: [userMessage(text)] }, headers)
  expect(response.status).toBe(202)
  return (await response.json()) as { readonly conversationId: string; readonly messageId: string }
}

async function follow(server: AgentsServer, names: readonly string[], last?: string): Promise<EventsReader> {
  const query = names.map((name) => `conversation=${name}`).join("&")
  const headers = last === undefined ? {} : { "last-event-id": last }
  const stream = readEvents(await server.get(`/run/api/events?${query}`, headers))
  onTestFinished(() => stream.leave())
  return stream
}

const isOpen =
  (open: number) =>
  ({ event, data }: SeenEvent): boolean =>
    event === "inbox" && data.open === open

const questionIn = ({ data }: SeenEvent): string => (data.chunk as { readonly id: string }).id

const kindIn = ({ item }: SeenEvent["data"]): unknown => (item as { readonly kind?: unknown } | undefined)?.kind

const rome = (elicitationId: string) => ({ elicitationId, action: "accept", content: { where: "Rome" } })

describe("a message whose reply is read elsewhere", () => {
  it("is accepted immediately with the ids of the conversation and of the reply", async () => {
    const server = await startAgents(travelAgents)
    const body = { id: "c1", messages: [userMessage("plan a trip")] }
    const response = await server.post("/run/api/chat", body, elsewhere)
    expect(response.status).toBe(202)
    expect(response.headers.get("preference-applied")).toBe("respond-async")
    const { conversationId, messageId } = (await response.json()) as Record<string, string>
    expect(conversationId).toBe("c1")
    const stream = await follow(server, ["c1"])
    const { data } = await stream.until(isChunk("start"))
    expect(data).toMatchObject({ conversationId: "c1", messageId, number: 1, chunk: { type: "start", messageId } })
  })

  it("may lead to questions only if the client shows them", async () => {
    const server = await startAgents(travelAgents)
    await post(server, "quiet", "plan a trip", { prefer: "respond-async" } as never)
    const stream = await follow(server, ["quiet"])
    await stream.until(isChunk("finish"))
    expect(stream.seen.some(isChunk("data-elicitation"))).toBe(false)
    await post(server, "shown", "plan a trip")
    await (await follow(server, ["shown"])).until(isChunk("data-elicitation"))
  })

  it("is refused like any other while a reply is under way", async () => {
    const server = await startAgents(travelAgents)
    await post(server, "c1", "plan a trip")
    const again = { id: "c1", messages: [userMessage("hello")] }
    expect((await server.post("/run/api/chat", again, elsewhere)).status).toBe(409)
  })

  it.each([["wait=10, respond-async"], ["Respond-Async; x=1"]])("also accepts the preference %j", async (prefer) => {
    const server = await startAgents(travelAgents)
    await post(server, "c1", "hello", { ...showsQuestions, prefer })
  })
})

const engines: readonly { readonly name: string; readonly open: () => Promise<Storage> | Storage }[] = [
  { name: "memory", open: createMemoryStorage },
  { name: "SQLite", open: () => openSqlite(join(makeScratchFolder("events"), "test.db")) },
]

describe.each(engines)("the stream of events over $name", ({ open }) => {
  verifies("run.events-whole", "has the replies of all its conversations, including later ones", async () => {
    const server = await startAgents(travelAgents, { storage: await open() })
    const stream = await follow(server, ["c1", "c2"])
    await post(server, "c1", "plan a trip")
    const asked = await stream.until(isChunk("data-elicitation", "c1"))
    await post(server, "c2", "hello")
    await stream.until(isChunk("finish", "c2"))
    expect((await answer(server, "c1", rome(questionIn(asked)))).status).toBe(200)
    await stream.until(isChunk("finish", "c1"))
    await post(server, "c2", "hello again")
    await stream.until(isChunk("finish", "c2"))
    expect(wordsOf(stream.seen, "c1")).toBe('One moment. I heard: ["3 days in Rome"].')
    expect(wordsOf(stream.seen, "c2")).toBe("You said: helloYou said: hello again")
  })

  it("counts the person's open questions with each step", async () => {
    const server = await startAgents(travelAgents, { storage: await open() })
    const stream = await follow(server, ["c1"])
    expect((await stream.until(({ event }) => event === "inbox")).data).toEqual({ open: 0 })
    await post(server, "c1", "plan a trip")
    const asked = await stream.until(isOpen(1))
    expect(asked.data).toMatchObject({ kind: "asked", status: "pending" })
    await stream.find(isChunk("data-elicitation"))
    await answer(server, "c1", rome(String(asked.data.id)))
    expect((await stream.until(isOpen(0))).data).toEqual({
      ...{ open: 0, id: asked.data.id, kind: "completed", status: "completed" },
    })
  })

  verifies("run.events-whole", "can be resumed after any of its events, without duplicates or gaps", async () => {
    const server = await startAgents(travelAgents, { storage: await open() })
    const whole = await follow(server, ["c1", "c2"])
    await whole.until(isOpen(0))
    await post(server, "c1", "plan a trip")
    const asked = await whole.until(isChunk("data-elicitation"))
    await whole.find(isOpen(1))
    await answer(server, "c1", rome(questionIn(asked)))
    await whole.until(isChunk("finish"))
    await post(server, "c2", "hello")
    await whole.until(isChunk("finish", "c2"))
    await whole.find(({ data }) => data.status === "completed")
    for (const name of ["c1", "c2"])
      await whole.find(({ data }) => data.conversationId === name && kindIn(data) === "run-ended")
    const steps = (seen: readonly SeenEvent[]) =>
      seen.filter(({ event }) => event === "inbox").map(({ data }) => data.kind)
    const itemsOf = (seen: readonly SeenEvent[]) =>
      seen.filter(({ event }) => event === "timeline").map(({ data }) => data)
    for (const [index, { id }] of whole.seen.entries()) {
      const before = whole.seen.slice(0, index + 1)
      const rest = whole.seen.slice(index + 1)
      const again = await follow(server, ["c1", "c2"], id)
      while (again.seen.length < rest.length) await again.until(() => true)
      for (const name of ["c1", "c2"])
        expect([...chunksOf(before, name), ...chunksOf(again.seen, name)]).toEqual(chunksOf(whole.seen, name))
      expect([...steps(before), ...steps(again.seen)]).toEqual(steps(whole.seen))
      expect([...itemsOf(before), ...itemsOf(again.seen)]).toEqual(itemsOf(whole.seen))
      await again.leave()
    }
  })
})

describe("the stream of events", () => {
  it("begins with the reply that is under way from its first chunk, and has nothing of ended ones", async () => {
    const server = await startAgents(travelAgents)
    await (await server.say("c1", "hello")).rest()
    await post(server, "c2", "plan a trip")
    const stream = await follow(server, ["c1", "c2"])
    await stream.until(isChunk("data-elicitation", "c2"))
    expect(chunksOf(stream.seen, "c1")).toEqual([])
    expect(chunksOf(stream.seen, "c2")[0]).toMatch(/ 1 start$/)
    await post(server, "c1", "hello again")
    await stream.until(isChunk("finish", "c1"))
    expect(wordsOf(stream.seen, "c1")).toBe("You said: hello again")
  })

  it("has a reply that began and ended while the client was away, although no event had come before", async () => {
    const server = await startAgents(travelAgents)
    const first = await server.get("/run/api/events?conversation=c1")
    const text = await (first.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader()
      .read()
    const id = /^id: (.*)$/m.exec(text.value ?? "")?.[1]
    await (await server.say("c1", "hello")).rest()
    const stream = await follow(server, ["c1"], id)
    await stream.until(isChunk("finish"))
    expect(wordsOf(stream.seen, "c1")).toBe("You said: hello")
  })

  it("has replies that another process of the same server gives", async () => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const [one, other] = [await startAgents(travelAgents, shared), await startAgents(travelAgents, shared)]
    const stream = await follow(one, ["c1"])
    await post(other, "c1", "plan a trip")
    const asked = await stream.until(isChunk("data-elicitation"))
    await answer(one, "c1", rome(questionIn(asked)))
    await stream.until(isChunk("finish"))
    expect(wordsOf(stream.seen, "c1")).toBe('One moment. I heard: ["3 days in Rome"].')
  })

  it("says how many questions are open, and no more, to a client that missed too much", async () => {
    const storage = createMemoryStorage()
    const server = await startAgents(travelAgents, { storage })
    const early = await follow(server, [])
    await early.until(isOpen(0))
    await post(server, "c1", "plan a trip")
    await early.until(isOpen(1))
    for (let count = 0; count < 2_100; count++)
      await storage.trail.append({ id: `s${count}`, tenant: "local", kind: "signed_in", at: 1, detail: {} })
    const late = await follow(server, [], early.seen[0]?.id ?? "")
    await late.until(({ event }) => event === "inbox")
    expect(late.seen.map(({ data }) => data)).toEqual([{ open: 1 }])
  })

  it("counts every open question of a person who has very many, and the list has them all", async () => {
    const server = await startAgents(travelAgents, { hub: { limits: { pendingPerPerson: 2_000 } } })
    await post(server, "c1", "plan a trip")
    const asked = await (await follow(server, ["c1"])).until(isOpen(1))
    const question = await server.hub.get(String(asked.data.id))
    if (question === undefined) throw new Error("nothing was asked")
    const { requester, audience } = question
    for (let count = 1; count < 1_005; count++)
      await server.hub.ask({ requester, audience, message: `Where ${count}?`, form: form({ where: text() }) })
    expect((await (await follow(server, [])).until(({ event }) => event === "inbox")).data).toEqual({ open: 1_005 })
    const { elicitations } = (await (await server.get("/run/api/elicitations")).json()) as { elicitations: unknown[] }
    expect(elicitations).toHaveLength(1_005)
  })

  it.each([
    ["?conversation=a%20b", "invalid_conversation"],
    ["?conversation=c1&after=12", "invalid_event_id"],
    [`?after=${Buffer.from('{"inbox":-1,"read":[]}').toString("base64url")}`, "invalid_event_id"],
    [`?after=${Buffer.from('{"inbox":1,"read":[["x",1,-2,0]]}').toString("base64url")}`, "invalid_event_id"],
  ])("is refused with %s", async (query, code) => {
    const response = await (await startAgents(travelAgents)).get(`/run/api/events${query}`)
    expect([response.status, ((await response.json()) as { readonly code: string }).code]).toEqual([400, code])
  })

  it("is refused with more than twenty conversations", async () => {
    const query = Array.from({ length: 21 }, (_, index) => `conversation=c${index}`).join("&")
    const response = await (await startAgents(travelAgents)).get(`/run/api/events?${query}`)
    expect([response.status, ((await response.json()) as { readonly code: string }).code]).toEqual([
      ...[400, "too_many_conversations"],
    ])
  })

  it("follows twenty conversations with an id that fits into a header", async () => {
    const server = await startAgents(travelAgents)
    const names = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(200, "x"))
    const stream = await follow(server, names)
    await post(server, names[7] ?? "", "hello")
    const { id } = await stream.until(isChunk("finish"))
    expect(id.length).toBeLessThan(2_000)
    const again = await follow(server, names, id)
    await post(server, names[8] ?? "", "hello")
    await again.until(isChunk("finish", names[8]))
    expect(chunksOf(again.seen, names[7] ?? "")).toEqual([])
  })

  it.each(["/run/api/events?conversation=c1", "/run/api/chat/c1/stream", "/run/api/conversations/c1/stream"])(
    "is closed immediately for a request that reads no body: %s",
    async (path) => {
      const beats: (() => void)[] = []
      const after: Runtime["after"] = (ms, call) => {
        if (ms !== 15_000) return systemRuntime.after(ms, call)
        beats.push(call)
        return () => {}
      }
      const server = await startAgents(travelAgents, { runtime: { ...systemRuntime, after } })
      await post(server, "c1", "plan a trip")
      await expect.poll(async () => (await server.get("/run/api/elicitations")).text()).toContain("Where to?")
      const response = await server.fetch(new Request(`${publicUrl}${path}`, { method: "HEAD" }))
      expect([response.status, response.body]).toEqual([200, null])
      // The heartbeat beats for as long as a stream is open.
      expect(beats).toHaveLength(1)
      beats.pop()?.()
      expect(beats).toEqual([])
    },
  )
})
