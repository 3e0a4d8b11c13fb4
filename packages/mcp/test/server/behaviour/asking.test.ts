// What happens to a call when people refuse, answer wrongly, or take their time, with clients of every revision.

import type { Elicitation } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Prompt, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { callKind } from "../../../../calls/src/records.ts"
import { holdable } from "../../../src/server/index.ts"

const houses: House[] = []
afterEach(async () => {
  for (const house of houses.splice(0)) await house.close()
})

const colours = z.object({ colour: z.enum(["red", "green"]) })
const inputSchema = z.object({ id: z.string() })

function server(): McpServer {
  const made = new McpServer({ name: "asking", version: "1" })
  made.registerTool(
    "colour",
    { inputSchema },
    holdable(async (_args, ask) => text((await ask.form("colour", "Which colour?", colours)).colour)),
  )
  made.registerTool(
    "pay",
    { inputSchema },
    holdable(async ({ id }, ask) => {
      await ask.url("pay", "Please pay.", `https://pay.example/${id}`)
      return text("Paid.")
    }),
  )
  made.registerTool(
    "both",
    { inputSchema },
    holdable(async (_args, ask) => {
      await Promise.all([ask.confirm("one", "One?"), ask.confirm("two", "Two?")])
      return text("Both.")
    }),
  )
  made.registerTool("plain", { inputSchema }, async () => text("Plain."))
  made.registerPrompt(
    "greet",
    { argsSchema: z.object({ name: z.string() }) },
    holdable(async ({ name }, ask) => {
      const { colour } = await ask.form("colour", "Which colour?", colours)
      return { messages: [{ role: "user" as const, content: { type: "text" as const, text: `${name} ${colour}` } }] }
    }),
  )
  made.registerResource(
    "note",
    "note://one",
    {},
    holdable(async (uri, ask) => {
      const { colour } = await ask.form("colour", "Which colour?", colours)
      return { contents: [{ uri: uri.href, text: colour }] }
    }),
  )
  made.registerResource(
    "page",
    new ResourceTemplate("page://{id}", { list: undefined }),
    {},
    holdable(async (uri, variables, ask) => {
      const { colour } = await ask.form("colour", `Which colour for ${variables.id}?`, colours)
      return { contents: [{ uri: uri.href, text: `${variables.id} ${colour}` }] }
    }),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await createHouse({ server, ...options })
  houses.push(house)
  return house
}

const args = { id: "7" }
const red: Reply = { action: "accept", content: { colour: "red" } }
const open = async ({ hub }: House): Promise<readonly Elicitation[]> =>
  hub.list({ tenant: "acme", state: "open", limit: 10 })

describe("prompts and resources", () => {
  const cases = [
    { method: "prompts/get", params: { name: "greet", arguments: { name: "Ada" } }, says: "Ada red" },
    { method: "resources/read", params: { uri: "note://one" }, says: "red" },
    { method: "resources/read", params: { uri: "page://12" }, says: "12 red" },
  ]

  verifies.each("mcp.prompts")(cases)("ask on 2026-07-28: $method $params", async ({ method, params, says }) => {
    const client = await (await start()).modern()
    const round = roundOf(await client.request(method, params))
    expect(round.requests).toMatchObject({ colour: { method: "elicitation/create", params: { mode: "form" } } })
    const again = { ...params, requestState: round.state }
    expect(await client.request("tools/call", { name: "colour", requestState: round.state })).toMatchObject({
      code: -32602,
    })
    const done = await client.request(method, { ...again, inputResponses: { colour: red } })
    expect(JSON.stringify(done)).toContain(says)
  })

  verifies.each("mcp.prompts")(cases)("ask on 2025-11-25: $method $params", async ({ method, params, says }) => {
    const client = await (await start()).raw({ answer: () => red })
    expect(JSON.stringify(await client.request(method, params))).toContain(says)
  })

  verifies.each("mcp.refusal-in-words")(cases)(
    "end with an error in plain language when the question is declined: $method $params",
    async ({ method, params }) => {
      const house = await start()
      const words = { kind: "error", code: -32603, message: expect.stringMatching(/said no.*Do not call/) }
      const client = await house.raw({ answer: () => ({ action: "decline" }) })
      expect(await client.request(method, params)).toMatchObject(words)
      const modern = await house.modern()
      const round = roundOf(await modern.request(method, params))
      const last = { ...params, requestState: round.state, inputResponses: { colour: { action: "decline" } } }
      expect(await modern.request(method, last)).toMatchObject(words)
    },
  )
})

describe("a refusal that the author does not catch", () => {
  const cases = [
    { how: "declined", reply: { action: "decline" }, words: /said no.*Do not call this tool again/s },
    { how: "cancelled", reply: { action: "cancel" }, words: /dismissed.*Calling again immediately is useless/s },
  ] as const

  it.each(cases)("is explained in an error result in both eras when it is $how", async ({ reply, words }) => {
    const house = await start()
    const expected = { kind: "result", isError: true, text: expect.stringMatching(words) }
    const legacy = await house.raw({ answer: () => reply })
    expect(await legacy.call("colour", args)).toMatchObject(expected)
    const modern = await house.modern()
    const round = roundOf(await modern.call("colour", args))
    expect(await retry(modern, "colour", args, round, { colour: reply })).toMatchObject(expected)
  })

  it("withdraws the questions that were asked beside it", async () => {
    const house = await start()
    const modern = await house.modern()
    const round = roundOf(await modern.call("both", args))
    expect(await open(house)).toHaveLength(2)
    expect(await retry(modern, "both", args, round, { one: { action: "decline" } })).toMatchObject({ isError: true })
    expect(await open(house)).toEqual([])
    const withdrawn = Promise.withResolvers<void>()
    const legacy = await house.raw({
      answer({ message }, signal) {
        if (message === "One?") return { action: "decline" }
        signal.addEventListener("abort", () => withdrawn.resolve())
        return new Promise<Reply>(() => {})
      },
    })
    expect(await legacy.call("both", args)).toMatchObject({ isError: true })
    expect(await open(house)).toEqual([])
    await withdrawn.promise
  })

  it("is the result when a client cannot show a form although it declared forms", async () => {
    const house = await start()
    const client = await house.raw({ answer: () => new Promise<Reply>(() => {}) })
    const called = client.call("colour", args)
    const asked = await prompted(client)
    await client.send({ jsonrpc: "2.0", id: asked, error: { code: -32603, message: "no window" } })
    expect(await called).toMatchObject({ isError: true, text: expect.stringMatching(/asked to do did not work/) })
    await until(async () => (await open(house)).length === 0)
  })
})

/** The id of the request with which this client is being asked. */
async function prompted(client: TestClient): Promise<unknown> {
  const find = () => client.received.findLast(({ method }) => method === "elicitation/create")
  await until(() => find() !== undefined)
  return find()?.id
}

describe("an answer that does not fit", () => {
  const bad = accept({ colour: "mauve" })

  it("repeats the question with the problem named, and the third one ends the call, on 2026-07-28", async () => {
    const house = await start({ nodes: 2 })
    const client = await house.modern()
    let round = roundOf(await client.call("colour", args))
    for (const node of [1, 0]) {
      client.to(node)
      round = roundOf(await retry(client, "colour", args, round, { colour: bad }))
      expect(round.requests.colour).toMatchObject({
        params: { message: expect.stringMatching(/^Which colour\?\n\nThe last answer did not fit\. colour: /) },
      })
    }
    expect(await retry(client, "colour", args, round, { colour: bad })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/None of the three answers/),
    })
    expect(await open(house)).toEqual([])
  })

  it("repeats the question without counting when it is not an answer at all", async () => {
    const house = await start()
    const client = await house.modern()
    let round = roundOf(await client.call("colour", args))
    for (const colour of [{}, { action: "maybe" }, { action: "accept", content: null }].slice(0, 2)) {
      round = roundOf(await retry(client, "colour", args, round, { colour }))
      expect(round.requests).toHaveProperty("colour")
    }
    round = roundOf(await retry(client, "colour", args, round))
    expect(await retry(client, "colour", args, round, { colour: red, other: red })).toMatchObject({ text: "red" })
  })

  verifies.each("mcp.answers-checked")([
    { what: "the process that holds", node: 0 },
    { what: "another process", node: 1 },
  ])("repeats the question when it arrives at $what, and the third one ends the call", async ({ node }) => {
    const house = await start({ nodes: 2 })
    const prompts: Prompt[] = []
    const client = await house.raw({
      answer(prompt) {
        prompts.push(prompt)
        client.to(node)
        return { action: "accept", content: { colour: "mauve" } }
      },
    })
    expect(await client.call("colour", args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/None of the three answers/),
    })
    expect(prompts).toHaveLength(3)
    expect(
      new Set(client.received.filter(({ method }) => method === "elicitation/create").map(({ id }) => id)).size,
    ).toBe(3)
    for (const { message } of prompts.slice(1)) expect(message).toMatch(/The last answer did not fit/)
    expect(await open(house)).toEqual([])
  })

  it("has its problem named even when it arrived at another process", async () => {
    const house = await start({ nodes: 2 })
    const client = await house.raw({
      answer({ message }) {
        client.to(1)
        return { action: "accept", content: { colour: message.includes("fit") ? "green" : "mauve" } }
      },
    })
    expect(await client.call("colour", args)).toMatchObject({ text: "green" })
    expect(client.prompts[1]?.message).toMatch(/colour: /)
  })
})

describe("the budget of the stock client", () => {
  it("is never exceeded: the client gets one prompt, then a result that says how to continue", async () => {
    const house = await start({ settings: { holdMs: 20 } })
    const client = await house.v2("modern", { answer: () => ({ action: "accept" }) })
    const called = await client.call("pay", args)
    const [asked] = await open(house)
    expect(called).toMatchObject({
      kind: "result",
      isError: true,
      text: expect.stringMatching(
        /has not finished this step yet.*https:\/\/pay\.example\/7.*exactly the same arguments/s,
      ),
    })
    expect(client.prompts).toHaveLength(1)
    const rounds = client.received.filter(({ result }) => isObject(result) && result.resultType === "input_required")
    expect(rounds).toHaveLength(10)
    if (asked === undefined) throw new Error("it is not open any more")
    await house.hub.complete(asked.id)
    expect(await client.call("pay", args)).toMatchObject({ isError: false, text: "Paid." })
    expect(client.prompts).toHaveLength(1)
  }, 15_000)
})

describe("a client that gives up", () => {
  it.each([
    { where: "at the process that holds the call", node: 0 },
    { where: "at another", node: 1 },
  ])("on 2025-11-25 cancels its form and leaves its link open, $where", async ({ node }) => {
    const house = await start({ nodes: 2 })
    const client = await house.raw({ answer: () => new Promise<Reply>(() => {}) })
    void client.call("colour", args)
    await until(() => client.prompts.length === 1)
    void client.call("pay", args)
    await until(() => client.prompts.length === 2)
    client.to(node)
    // One of these ids belongs to each call.
    for (let requestId = 1; requestId < 9; requestId++) await client.notify("notifications/cancelled", { requestId })
    await until(async () => (await open(house)).length === 1)
    expect((await open(house))[0]).toMatchObject({ mode: "url", status: "pending" })
  })

  it("finds its link completed when it calls again, and an open link is not asked for twice", async () => {
    const house = await start()
    const client = await house.raw({ answer: () => new Promise<Reply>(() => {}) })
    const giveUp = async (): Promise<void> => {
      const stop = new AbortController()
      client.received.length = 0
      const called = client.call("pay", args, { signal: stop.signal })
      await prompted(client)
      stop.abort()
      await called
    }
    // Each call is stored and released.
    const generations = async () =>
      (await house.storage.records(callKind).list({ tenant: "acme", limit: 9 })).map((one) => one.generation)
    await giveUp()
    await until(async () => (await generations())[0] === 1)
    await giveUp()
    await until(async () => (await generations())[0] === 2)
    const [asked, second] = await open(house)
    expect(second).toBeUndefined()
    if (asked === undefined) throw new Error("nothing was asked")
    await house.hub.answer(asked.id, { by: alice, action: "accept" })
    await house.hub.complete(asked.id)
    expect(await client.call("pay", args)).toMatchObject({ text: "Paid." })
  })
})

describe("two concurrent calls with the same arguments that need a link", () => {
  it("have a link each, and each call continues when its own link is done", async () => {
    const house = await start()
    const client = await house.raw({ answer: () => ({ action: "accept" }) })
    const calls = [client.call("pay", args), client.call("pay", args)]
    const isAgreed = async () => (await open(house)).filter(({ status }) => status === "accepted").length === 2
    await until(isAgreed)
    const [first] = await open(house)
    await house.hub.complete(first?.id ?? "")
    expect(await Promise.race(calls)).toMatchObject({ isError: false, text: "Paid." })
    const [second, third] = await open(house)
    expect([second === undefined, third]).toEqual([false, undefined])
    await house.hub.complete(second?.id ?? "")
    for (const called of calls) expect(await called).toMatchObject({ isError: false, text: "Paid." })
  })
})

describe("a link that was declined", () => {
  it("is asked again by the next call, which is a new call", async () => {
    const house = await start()
    const replies: Reply[] = [{ action: "decline" }, { action: "accept" }]
    const client = await house.raw({ answer: () => replies.shift() ?? { action: "cancel" } })
    expect(await client.call("pay", args)).toMatchObject({ isError: true, text: expect.stringMatching(/said no/) })
    const called = client.call("pay", args)
    await until(async () => (await open(house))[0]?.status === "accepted")
    await house.hub.complete((await open(house))[0]?.id ?? "")
    expect(await called).toMatchObject({ isError: false, text: "Paid." })
  })
})

describe("a question that ends elsewhere", () => {
  it("is withdrawn at the client when it is answered in the inbox, and late answers harm nothing", async () => {
    const house = await start({ nodes: 2 })
    const late = Promise.withResolvers<Reply>()
    const client = await house.raw({ answer: () => late.promise })
    const called = client.call("colour", args)
    const requestId = await prompted(client)
    const [asked] = await open(house)
    if (asked === undefined) throw new Error("nothing was asked")
    await house.hub.answer(asked.id, { by: alice, action: "accept", content: { colour: "green" } })
    expect(await called).toMatchObject({ text: "green" })
    await until(() => cancelled(client, requestId))
    const answer = { jsonrpc: "2.0", id: requestId, result: red }
    for (const node of [0, 1, 0]) {
      client.to(node)
      await client.send(answer)
    }
    expect(await house.hub.get(asked.id)).toMatchObject({ status: "completed", content: { colour: "green" } })
    expect(await client.call("plain", args)).toMatchObject({ text: "Plain." })
  })

  it("cannot be answered by another session of the same person, or by another person", async () => {
    const house = await start({ nodes: 2 })
    const client = await house.raw({ answer: () => new Promise<Reply>(() => {}) })
    const called = client.call("colour", args)
    const id = await prompted(client)
    const strangers = [
      await house.raw({ person: { ...alice, subject: "bob" } }),
      await house.raw(),
      await house.raw({ node: 1 }),
    ]
    for (const stranger of strangers) {
      await stranger.send({ jsonrpc: "2.0", id, result: red })
      await stranger.send({ jsonrpc: "2.0", id, error: { code: -1, message: "no" } })
      await stranger.notify("notifications/cancelled", { requestId: 2 })
    }
    expect((await open(house))[0]).toMatchObject({ status: "pending", revision: 1 })
    await client.send({ jsonrpc: "2.0", id, result: red })
    expect(await called).toMatchObject({ text: "red" })
  })
})

const cancelled = (client: TestClient, requestId: unknown): boolean =>
  client.received.some(
    ({ method, params }) => method === "notifications/cancelled" && isObject(params) && params.requestId === requestId,
  )
