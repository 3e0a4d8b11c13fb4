// The typed client against the real run API, even when connections break and servers go away.

import { type ChatEvent, type Client, ClientError, createClient } from "@holdpoint/client"
import { createMemoryStorage } from "@holdpoint/hub"
import { newKeys, publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { type Fetch, reach, travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { describe, expect, it, vi } from "vitest"

const clientOf = (fetch: Fetch): Client => createClient({ url: `${publicUrl}/`, fetch })

async function all(events: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const seen: ChatEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const textIn = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("")

/** Reads a reply, and answers its question immediately. */
async function readAnswering(client: Client, events: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const seen: ChatEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (event.type !== "elicitation-request") continue
    const { elicitationId } = event
    await client.answer({ conversationId: "c1", elicitationId, action: "accept", content: { where: "Rome" } })
  }
  return seen
}

describe("the client", () => {
  it("yields a reply as typed events, and the reply continues with the answer", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const seen = await readAnswering(client, client.chat("c1", { agent: "helper" }).send("plan a trip"))
    expect(textIn(seen)).toBe('One moment. I heard: ["3 days in Rome"].')
    expect(seen.map(({ type }) => type).filter((type, at, types) => type !== types[at - 1])).toEqual([
      ...["step", "text", "tool-call", "elicitation-request", "elicitation-resolved", "tool-result"],
      ...["step", "text", "end"],
    ])
    expect(seen.at(-1)).toMatchObject({ type: "end", status: "done" })
    expect(seen.find(({ type }) => type === "tool-call")).toMatchObject({
      ...{ toolName: "plan_trip", title: "Plan a trip", input: { days: 3 } },
    })
  })

  it("loads a waiting conversation, and resumes exactly where the loaded part ends", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const chat = client.chat("c1", { agent: "helper" })
    expect(await chat.load()).toBeUndefined()
    for await (const { type } of chat.send("plan a trip")) if (type === "elicitation-request") break
    const loaded = await vi.waitFor(async () => {
      const now = await chat.load()
      expect(now).toMatchObject({ status: "waiting", messages: [{ role: "user" }, { role: "assistant" }] })
      return now
    })
    expect(loaded?.reply?.messageId).toBe(loaded?.messages.at(-1)?.id)
    const rest = await readAnswering(client, chat.resume(0))
    const missing = rest.filter(({ number = 0 }) => number > (loaded?.reply?.number ?? 0))
    expect(missing.map(({ type }) => type)).toEqual(["elicitation-resolved", "tool-result", "step", "text", "end"])
    expect(await chat.load()).toMatchObject({ status: "done" })
  })

  it("works as the document shows", async () => {
    const server = await startAgents(travelAgents)
    const texts: string[] = []
    const show = (words: string): void => void texts.push(words)
    const options = { url: publicUrl, fetch: reach(server) }
    const askPerson = async (_message: string) => ({ where: "Rome" })
    // #region talk
    const client = createClient(options)
    const chat = client.chat("trip-1", { agent: "helper" })
    for await (const event of chat.send("plan a trip")) {
      if (event.type === "text") show(event.text)
      if (event.type === "elicitation-request" && event.mode === "form") {
        const { conversationId } = chat
        const { elicitationId, message } = event
        await client.answer({ conversationId, elicitationId, action: "accept", content: await askPerson(message) })
      }
    }
    // #endregion
    expect(texts.join("")).toBe('One moment. I heard: ["3 days in Rome"].')
  })

  it("lists open questions, stops a reply, and has the messages of a conversation", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const chat = client.chat("c1")
    const reply = chat.send("plan a trip")
    for await (const event of reply) {
      if (event.type !== "elicitation-request") continue
      expect(await client.elicitations()).toMatchObject([{ elicitationId: event.elicitationId, message: "Where to?" }])
      await chat.stop()
      break
    }
    const rest = await all(chat.resume())
    expect(rest.at(-1)).toMatchObject({ type: "end", status: "stopped" })
    await expect.poll(() => client.elicitations()).toEqual([])
    expect((await chat.messages()).map(({ role }) => role)).toEqual(["user", "assistant"])
  })

  it("throws refusals with their code and what to do next", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const unknown = { conversationId: "c1", elicitationId: "q", action: "decline" } as const
    await expect(client.answer(unknown)).rejects.toMatchObject({ code: "not_found", status: 404 })
    const refused = all(client.chat("c1", { agent: "nemo" }).send("hello"))
    await expect(refused).rejects.toBeInstanceOf(ClientError)
    await expect(refused).rejects.toMatchObject({ code: "unknown_agent", problem: { title: "Not Found" } })
    const page = clientOf(async () => new Response("<h1>Bad gateway</h1>", { status: 502 }))
    await expect(page.elicitations()).rejects.toMatchObject({ code: "unexpected", status: 502, problem: undefined })
  })

  it("sends the token, fresh for each request, and its other headers", async () => {
    const sent: (string | null)[] = []
    let count = 0
    const fetch: Fetch = async (url, init) => {
      const { headers } = new Request(url, init)
      sent.push(`${headers.get("authorization")} ${headers.get("x-team")} ${init.redirect}`)
      return Response.json({ elicitations: [] })
    }
    const client = createClient({ url: publicUrl, fetch, headers: { "x-team": "blue" }, token: () => `t${++count}` })
    await client.elicitations()
    await client.elicitations()
    expect(sent).toEqual(["Bearer t1 blue error", "Bearer t2 blue error"])
  })
})

/** Cuts the body of each stream after this many bytes, like a lost connection: by an end or by an error. */
function cutting(fetch: Fetch, bytes: number, requests: string[]): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    requests.push(`${init.method} ${new URL(url).pathname}`)
    if (response.headers.get("content-type") !== "text/event-stream" || response.body === null) return response
    let left = bytes
    const isError = requests.length % 2 === 0
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        controller.enqueue(piece.slice(0, left))
        left -= piece.length
        if (left > 0) return
        if (isError) controller.error(new TypeError("terminated"))
        else controller.terminate()
      },
    })
    return new Response(response.body.pipeThrough(cut), response)
  }
}

describe("a reply whose connection is lost", () => {
  it("resumes where the connection was lost, without duplicates or gaps", async () => {
    const server = await startAgents(travelAgents)
    const whole = await readAnswering(clientOf(reach(server)), clientOf(reach(server)).chat("c1").send("plan a trip"))
    const requests: string[] = []
    const cut = clientOf(cutting(reach(server), 700, requests))
    const pieces = await readAnswering(cut, cut.chat("c1").send("plan a trip"))
    expect(requests.filter((line) => line === "POST /run/api/chat")).toHaveLength(1)
    expect(requests.filter((line) => line === "GET /run/api/conversations/c1/stream").length).toBeGreaterThan(1)
    expect(pieces.map(({ type, number }) => [type, number])).toEqual(whole.map(({ type, number }) => [type, number]))
    expect(textIn(pieces)).toBe(textIn(whole))
  })

  it("continues at another server, even after another message was sent", async () => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const first = await startAgents(travelAgents, shared)
    let now = reach(first)
    const client = clientOf((url, init) => now(url, init))
    const reply = client.chat("c1").send("plan a trip")
    const seen: ChatEvent[] = []
    for (;;) {
      const { value } = await reply.next()
      if (value === undefined) throw new Error("no question was asked")
      seen.push(value)
      if (value.type === "elicitation-request") break
    }
    await first.close()
    const second = await startAgents(travelAgents, shared)
    const [{ elicitationId } = { elicitationId: "" }] = await clientOf(reach(second)).elicitations()
    const content = { where: "Oslo" }
    await clientOf(reach(second)).answer({ conversationId: "c1", elicitationId, action: "accept", content })
    await all(clientOf(reach(second)).chat("c1").resume())
    expect(textIn(await all(clientOf(reach(second)).chat("c1").send("and now?")))).toBe("You said: and now?")
    now = reach(second)
    seen.push(...(await all(reply)))
    expect(textIn(seen)).toBe('One moment. I heard: ["3 days in Oslo"].')
  })

  it("resumes after an event that the program kept", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const chat = client.chat("c1")
    const whole = await all(chat.send("hello"))
    for (const [at, event] of whole.entries()) {
      const rest = await all(chat.resume(event))
      expect(rest).toEqual(whole.slice(at + 1))
    }
  })

  it("is not started again when its message may not have arrived", async () => {
    let sent = 0
    const client = clientOf(async () => {
      sent += 1
      throw new TypeError("fetch failed")
    })
    await expect(all(client.chat("c1").send("hello"))).rejects.toMatchObject({ code: "unreachable", status: undefined })
    expect(sent).toBe(1)
  })

  it("ends with the reader's own reason when the reader leaves", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const leave = new AbortController()
    const read = async (): Promise<void> => {
      for await (const { type } of client.chat("c1").send("plan a trip", { signal: leave.signal }))
        if (type === "elicitation-request") leave.abort(new Error("the page was closed"))
    }
    await expect(read()).rejects.toThrow("the page was closed")
    expect(await client.elicitations()).toHaveLength(1)
  })
})

describe("the events of a client", () => {
  const isEnd = ({ event }: { readonly event?: ChatEvent }): boolean => event?.type === "end"

  it("work as the document shows", async () => {
    const server = await startAgents(travelAgents)
    const client = clientOf(reach(server))
    const [shownTexts, counted]: [string[], number[]] = [[], []]
    const show = (words: string): void => void shownTexts.push(words)
    const count = (open: number): void => void counted.push(open)
    // #region follow
    const events = client.events({ conversations: ["trip-2"] })
    for await (const happened of events) {
      if (happened.type === "inbox") {
        count(happened.open)
        await client.chat("trip-2").post("hello")
      }
      if (happened.type === "reply" && happened.event?.type === "text") show(happened.event.text)
      if (happened.type === "reply" && happened.event?.type === "end") break
    }
    // #endregion
    expect(shownTexts.join("")).toBe("You said: hello")
    expect(counted).toEqual([0])
  })

  it("continue after the last one whenever the connection is lost", async () => {
    const server = await startAgents(travelAgents)
    const requests: string[] = []
    const client = clientOf(cutting(reach(server), 900, requests))
    const posted = await clientOf(reach(server)).chat("c1").post("plan a trip")
    const numbers: number[] = []
    for await (const happened of client.events({ conversations: ["c1"] })) {
      if (happened.type !== "reply") continue
      expect(happened).toMatchObject(posted)
      numbers.push(happened.number)
      if (happened.event?.type === "elicitation-request") {
        const { elicitationId } = happened.event
        await client.answer({ conversationId: "c1", elicitationId, action: "accept", content: { where: "Rome" } })
      }
      if (isEnd(happened)) break
    }
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect(requests.filter((line) => line === "GET /run/api/events").length).toBeGreaterThan(2)
  })

  it("continue where an earlier reader stopped", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    await client.chat("c1").post("plan a trip")
    let [id, first]: [string, number] = ["", 0]
    for await (const happened of client.events({ conversations: ["c1"] })) {
      if (happened.type !== "reply") continue
      ;[id, first] = [happened.id, happened.number]
      if (happened.event?.type === "text") break
    }
    for await (const happened of client.events({ conversations: ["c1"], after: id })) {
      if (happened.type !== "reply") continue
      expect(happened.number).toBe(first + 1)
      break
    }
  })

  it("end when the signal aborts, and throw a refusal", async () => {
    const client = clientOf(reach(await startAgents(travelAgents)))
    const stop = new AbortController()
    const reading = (async () => {
      for await (const { type } of client.events({ conversations: [], signal: stop.signal }))
        if (type === "inbox") stop.abort()
    })()
    await expect(reading).rejects.toThrow(/abort/)
    const refused = client.events({ conversations: ["two words"] }).next()
    await expect(refused).rejects.toMatchObject({ code: "invalid_conversation", status: 400 })
  })

  it("wait for a server that cannot be reached", async () => {
    const server = await startAgents(travelAgents)
    let failures = 3
    const client = clientOf(async (url, init) => {
      failures -= 1
      if (failures === 1) return new Response("<h1>Bad gateway</h1>", { status: 502 })
      if (failures >= 0) throw new TypeError("fetch failed")
      return reach(server)(url, init)
    })
    const connections: boolean[] = []
    const following = client.events({ conversations: [], onConnection: (isOpen) => void connections.push(isOpen) })
    expect((await following.next()).value).toMatchObject({ type: "inbox", open: 0 })
    expect(connections).toEqual([false, false, false, true])
    await following.return()
  })
})
