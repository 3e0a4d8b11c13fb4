// Tools of a 2026-07-28 server, made with the official SDK 2.x and reached over HTTP: each round of a call is a request of
// its own.

import { alice } from "@holdpoint/testkit/fixtures"
import type { Caller } from "@holdpoint/testkit/mcp/client/caller"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { McpPeer } from "../../src/client/index.ts"
import { connectMcp } from "../../src/client/index.ts"
import type { ModernServer } from "./modern-servers.ts"
import { askForm, askUrl, createModernServer } from "./modern-servers.ts"

let caller: Caller
let server: ModernServer
let peer: McpPeer

beforeEach(() => {
  caller = createCaller()
  server = createModernServer()
  peer = connectMcp({ name: "modern", transport: () => server.open() })
})
afterEach(async () => {
  await peer.close()
  await server.close()
  await caller.close()
  expect(caller.reports).toEqual([])
})

const call = () => caller.call(peer, { name: "scripted" })
const all = () => caller.hub.list({ tenant: "acme", state: "all", limit: 99 })
const name = { name: { type: "string", title: "Your name" } }

describe("A call of 2026-07-28", () => {
  it("asks all questions of a round together, and sends the state back unchanged", async () => {
    server.script = [
      { requests: { who: askForm("Who?", name), when: askForm("When?", { day: { type: "string", format: "date" } }) } },
      { requests: { sure: askForm("Sure?", { sure: { type: "boolean" } }) }, state: "söme › state" },
    ]
    await peer.listTools()
    const called = call()
    const first = await caller.questions(2)
    expect(first.map(({ message }) => message).sort()).toEqual(["“modern” asks: When?", "“modern” asks: Who?"])
    await caller.answer(
      first.find(({ message }) => message.endsWith("Who?")),
      { name: "Ada" },
    )
    await caller.answer(
      first.find(({ message }) => message.endsWith("When?")),
      { day: "2026-11-16" },
    )
    await until(async () => (await caller.questions())[0]?.message.endsWith("Sure?") === true)
    await caller.refuse((await caller.questions())[0])
    expect(await called).toBe("Done.")
    expect(server.requests).toEqual([
      { tool: "scripted", state: undefined, responses: undefined },
      {
        ...{ tool: "scripted", state: "state 0" },
        responses: {
          who: { action: "accept", content: { name: "Ada" } },
          when: { action: "accept", content: { day: "2026-11-16" } },
        },
      },
      { tool: "scripted", state: "söme › state", responses: { sure: { action: "decline" } } },
    ])
  })

  it("ignores an id of our hub that a foreign server names, and asks a new question", async () => {
    const other = await caller.hub.ask({
      ...{ message: "Pay 1,000 €?", audience: alice, requester: { id: "bank" } },
      form: { type: "object", properties: { name: { type: "string" } } },
    })
    const meta = { _meta: { "holdpoint/elicitationId": other.id } }
    server.script = [{ requests: { who: askForm("Who?", name, meta) } }]
    const called = call()
    const asked = (await caller.questions(2)).find(({ id }) => id !== other.id)
    expect(asked?.message).toBe("“modern” asks: Who?")
    await caller.answer(asked, { name: "Ada" })
    expect(await called).toBe("Done.")
    expect((await caller.hub.get(other.id))?.status).toBe("pending")
  })

  it.each([
    ["a secret", { api_key: { type: "string", title: "Your API key" } }, /must not ask for secrets/],
    ["a nested object", { address: { type: "object", properties: { city: { type: "string" } } } }, /address/],
    ["an unknown format", { host: { type: "string", format: "hostname" } }, /format|hostname/],
  ])("declines a form that asks for %s, and tells the model why", async (_what, properties, why) => {
    server.script = [{ requests: { form: askForm("Please", properties) } }]
    const text = await call()
    expect(text).toMatch(/^Done\.\n“modern” asked the user for something that cannot be shown to them/)
    expect(text).toMatch(why)
    expect(server.requests[1]?.responses).toEqual({ form: { action: "decline" } })
    expect(await all()).toEqual([])
  })

  it.each(["javascript:alert(1)", "http://intranet/", "https://user:secret@pay.example/"])(
    "declines a link to %s",
    async (url) => {
      server.script = [{ requests: { link: askUrl("Open", url) } }]
      expect(await call()).toMatch(/^Done\.\n“modern” asked the user for something/)
      expect(server.requests[1]?.responses).toEqual({ link: { action: "decline" } })
      expect(await all()).toEqual([])
    },
  )

  it("removes control characters from a server's texts, and shortens long ones", async () => {
    server.script = [{ requests: { who: askForm(`Who\u202e?\u0000${"x".repeat(5_000)}`, name) } }]
    const called = call()
    const [question] = await caller.questions()
    expect(question?.message.startsWith("“modern” asks: Who?xxx")).toBe(true)
    expect(question?.message).toHaveLength(4_000)
    await caller.answer(question, { name: "Ada" })
    expect(await called).toBe("Done.")
  })

  it("fails when the server asks for something that this program does not offer", async () => {
    server.script = [
      { requests: { model: { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } } },
    ]
    expect(await call()).toMatch(/sampling|not support|capabilit/i)
    expect(server.requests).toHaveLength(1)
  })
})

describe("A link of 2026-07-28", () => {
  it("is accepted when the person agrees, waited for, and completed when the server continues", async () => {
    const link = askUrl("Please pay.", "https://pay.example/7")
    server.script = [{ requests: { pay: link } }, {}, { requests: { who: askForm("Who?", name) } }]
    const called = call()
    const [question] = await caller.questions()
    expect(question).toMatchObject({ mode: "url", url: "https://pay.example/7" })
    expect(server.requests).toHaveLength(1)
    await caller.answer(question)
    await until(async () => (await caller.questions()).some(({ mode }) => mode === "form"))
    expect(server.requests.slice(1)).toEqual([
      { tool: "scripted", state: "state 0", responses: { pay: { action: "accept" } } },
      { tool: "scripted", state: "state 1", responses: undefined },
    ])
    expect((await caller.hub.get(question?.id ?? ""))?.status).toBe("completed")
    await caller.answer((await caller.questions())[0], { name: "Ada" })
    expect(await called).toBe("Done.")
  })

  it("that the server sends again becomes a question whether the person has finished", async () => {
    const link = askUrl("Please pay.", "https://pay.example/7")
    server.script = [{ requests: { pay: link } }, { requests: { again: link } }]
    const called = call()
    const [question] = await caller.questions()
    await caller.answer(question)
    await until(async () => (await caller.questions()).some(({ mode }) => mode === "form"))
    const again = (await caller.questions()).find(({ mode }) => mode === "form")
    expect(again?.message).toMatch(/sent you to pay\.example\. Try again when you have finished there\.$/)
    await caller.answer(again, { confirmed: "yes" })
    expect(await called).toBe("Done.")
    expect(server.requests[2]?.responses).toEqual({ again: { action: "accept" } })
    expect((await caller.hub.get(question?.id ?? ""))?.status).toBe("completed")
  })
})

describe("A server that cannot be reached", () => {
  it("is reported as unavailable when nothing was sent", async () => {
    server.isDown = true
    await expect(peer.listTools()).rejects.toMatchObject({ code: "provider_unavailable" })
    await expect(call()).rejects.toMatchObject({ code: "provider_unavailable" })
    server.isDown = false
    expect(await call()).toBe("Done.")
  })

  it("leaves the effect of a call unknown when its request failed on an open connection", async () => {
    await peer.listTools()
    server.isDown = true
    await expect(call()).rejects.toMatchObject({ code: "effect_unknown" })
  })

  it.each(["readOnlyHint", "idempotentHint"])("gets a call once more whose tool is annotated with %s", async (hint) => {
    await peer.listTools()
    server.losses = 1
    expect(await caller.call(peer, { name: "scripted", annotations: { [hint]: true } })).toBe("Done.")
    expect(server.requests).toHaveLength(1)
  })
})
