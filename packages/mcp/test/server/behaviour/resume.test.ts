// A client of 2025-11-25 whose connection is cut during a held call, and which resumes the stream by Last-Event-ID.

import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Answering, Progress, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { openV1 } from "@holdpoint/testkit/mcp/server/clients/v1"
import { openV2 } from "@holdpoint/testkit/mcp/server/clients/v2"
import { createPersonAtPages, type PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House
let person: PersonAtPages
let deeds = 0
let effect = Promise.withResolvers<void>()
beforeEach(async () => {
  deeds = 0
  effect = Promise.withResolvers<void>()
  house = await createHouse({ server, nodes: 2 })
  person = createPersonAtPages(house.storage, house.keys)
})
afterEach(async () => {
  effect.resolve()
  await person.close()
  await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "resumed", version: "1" })
  const pay = holdable(async (ask) => {
    await ask.url("pay", "Pay.", "https://pay.example/1")
    await ask.once("book", async () => {
      await effect.promise
      deeds++
    })
    await ask.url("receipt", "See the receipt.", "https://pay.example/2")
    return text("Paid.")
  })
  made.registerTool("pay", {}, pay)
  return made
}

/** An endpoint whose connections can be cut, and which records the Last-Event-IDs of the client. */
async function mortalEndpoint() {
  const endpoint = await house.endpoint()
  const cuts: (() => void)[] = []
  const resumed: string[] = []
  const takenUp: string[] = []
  const sessions = new Set<string>()
  let isAway = false
  const fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const last = new Headers(init?.headers).get("last-event-id")
    if (last !== null) resumed.push(last)
    if (isAway) throw new TypeError("fetch failed")
    const response = await endpoint.fetch(input, init)
    if (last !== null) takenUp.push(last)
    const session = response.headers.get("mcp-session-id")
    if (session !== null) sessions.add(session)
    const reader = response.body?.getReader()
    if (reader === undefined || init?.method !== "POST") {
      reader?.releaseLock()
      return response
    }
    let cut: (() => void) | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        cut = () => {
          controller.error(new TypeError("terminated"))
          void reader.cancel()
        }
      },
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    })
    cuts.push(() => cut?.())
    return new Response(body, { status: response.status, headers: response.headers })
  }
  return {
    endpoint: { ...endpoint, fetch },
    /** In the order in which they began. */
    sessions,
    resumed,
    /** Those that the server has answered. Until then, it may still take the stream from a reader that came later. */
    takenUp,
    to: endpoint.to,
    /** Cuts the newest connection. */
    cut: () => cuts.at(-1)?.(),
    away: (is: boolean) => {
      isAway = is
    },
  }
}

type Mortal = Awaited<ReturnType<typeof mortalEndpoint>>

const kinds = ["v1.32", "v2 legacy"] as const
const clients: TestClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
})
async function open(kind: (typeof kinds)[number], { endpoint }: Mortal, answer: Answering): Promise<TestClient> {
  const options = { answer, resumesAfterMs: 50 }
  const client = await (kind === "v1.32" ? openV1(endpoint, options) : openV2("legacy", endpoint, options))
  clients.push(client)
  return client
}

const calls = () => house.storage.records(callKind).list({ tenant: "acme", limit: 9 })

const agrees: Answering = () => ({ action: "accept" })

async function finish(): Promise<void> {
  await until(async () => (await house.hub.list({ tenant: "acme", state: "open", limit: 2 })).length === 1)
  const question = await person.question()
  await until(async () => (await house.hub.get(question.id))?.status === "accepted")
  await house.hub.complete(question.id)
}

describe.each(kinds)("a held call of %s whose connection is cut", (kind) => {
  verifies("mcp.resumed", "receives missed and later messages: progress, the next question, the result", async () => {
    const mortal = await mortalEndpoint()
    const client = await open(kind, mortal, agrees)
    const progresses: Progress[] = []
    const called = client.call(
      "pay",
      {},
      { onprogress: (progress) => void progresses.push(progress), timeout: 100_000 },
    )
    await until(() => client.prompts.length === 1)
    mortal.cut()
    const before = progresses.length
    effect.resolve()
    await finish()
    await until(() => client.prompts.length === 2)
    expect(mortal.resumed.length).toBeGreaterThan(0)
    expect(progresses.length).toBeGreaterThan(before)
    await finish()
    expect(await called).toMatchObject({ isError: false, text: "Paid." })
    expect([deeds, client.prompts.length]).toEqual([1, 2])
  })

  verifies("mcp.resumed", "receives a result that came while it was disconnected, and the call is over", async () => {
    const mortal = await mortalEndpoint()
    const client = await open(kind, mortal, agrees)
    const called = client.call("pay", {}, { timeout: 100_000 })
    effect.resolve()
    await finish()
    await until(() => client.prompts.length === 2)
    mortal.cut()
    await finish()
    expect(await called).toMatchObject({ isError: false, text: "Paid." })
    // The result was delivered, so the same call is a new one.
    void client.call("pay", {}, { timeout: 100_000 })
    await until(() => client.prompts.length === 3)
  })
})

describe("a resumed stream", () => {
  verifies("mcp.resumed", "has a waiting call again: the same call made beside it is another call", async () => {
    const mortal = await mortalEndpoint()
    const client = await open("v2 legacy", mortal, agrees)
    const first = client.call("pay", {}, { timeout: 100_000 })
    await until(() => client.prompts.length === 1)
    mortal.cut()
    await until(async () => (await calls()).some(({ isUnheard }) => isUnheard === true))
    await until(async () => (await calls()).every(({ isUnheard }) => isUnheard !== true))
    void client.call("pay", {}, { timeout: 100_000 })
    await until(() => client.prompts.length === 2)
    expect(await calls()).toHaveLength(2)
    const [one] = client.prompts
    await house.hub.complete(String(one?.elicitationId))
    effect.resolve()
    await until(() => client.prompts.length === 3)
    void first
  })

  const never = () => new Promise<Reply>(() => {})
  const request = ({ endpoint }: Pick<Mortal, "endpoint">, session: string, lastEvent: string) =>
    endpoint.fetch(endpoint.url, {
      headers: {
        ...endpoint.headers,
        accept: "text/event-stream",
        "mcp-session-id": session,
        "last-event-id": lastEvent,
      },
    })

  verifies("mcp.resumed", "is answered with 204 once its client has read it to the end", async () => {
    const mortal = await mortalEndpoint()
    const client = await open("v2 legacy", mortal, () => new Promise<Reply>(() => {}))
    const giveUp = new AbortController()
    const called = client.call("pay", {}, { timeout: 100_000, signal: giveUp.signal })
    await until(() => client.prompts.length === 1)
    mortal.cut()
    await until(() => mortal.takenUp.length > 0)
    const [event = ""] = mortal.takenUp
    giveUp.abort()
    await called
    const [session = ""] = mortal.sessions
    const rest = await request(mortal, session, event)
    expect(rest.status).toBe(200)
    await rest.text()
    expect((await request(mortal, session, event)).status).toBe(204)
  })

  verifies("mcp.resumed", "is available only to its own session, at the process that holds it", async () => {
    const mortal = await mortalEndpoint()
    const client = await open("v2 legacy", mortal, never)
    await open("v2 legacy", mortal, never)
    const [mine = "", theirs = ""] = mortal.sessions
    void client.call("pay", {}, { timeout: 100_000 })
    await until(() => client.prompts.length === 1)
    mortal.cut()
    await until(() => mortal.takenUp.length > 0)
    const [event = ""] = mortal.takenUp
    expect((await request(mortal, theirs, event)).status).toBe(400)
    const again = await request(mortal, mine, event)
    expect([again.status, again.headers.get("content-type")]).toEqual([200, "text/event-stream"])
    await again.body?.cancel()
    mortal.to(1)
    expect((await request(mortal, mine, event)).status).toBe(400)
    // An id of another server is ignored: the client just listens.
    const listening = await request(mortal, mine, "17")
    expect(listening.status).toBe(200)
    await listening.body?.cancel()
  })

  verifies("mcp.resumed", "is not lost when an earlier connection ends after it was opened", async () => {
    const mortal = await mortalEndpoint()
    const client = await open("v2 legacy", mortal, never)
    void client.call("pay", {}, { timeout: 100_000 }).catch(() => {})
    await until(() => client.prompts.length === 1)
    mortal.away(true)
    mortal.cut()
    await until(() => mortal.resumed.length > 0)
    const [session = ""] = mortal.sessions
    const [event = ""] = mortal.resumed
    const endpoint = await house.endpoint()
    const earlier = await request({ endpoint }, session, event)
    const later = await request({ endpoint }, session, event)
    await earlier.body?.cancel()
    await house.hub.cancel((await person.question()).id, { code: "test" })
    expect(await later.text()).toContain('"isError":true')
    await until(async () => (await calls()).length === 0)
  })
})
