// Agents as tools of an MCP server, called by the official clients: questions inside a run reach the client.

import { createMemoryStorage } from "@holdpoint/hub"
import { type AgentsServer, newKeys, publicUrl, question, startAgents } from "@holdpoint/testkit/agents/agents-server"
import type { ClientKind, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { describe, expect, it, onTestFinished } from "vitest"
import { mcpPath, mcpResource } from "../src/agents-mcp.ts"
import type { AgentsConfig } from "../src/definition.ts"
import { runResource } from "../src/http/callers.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const payUrl = "https://pay.example/orders/42"
const nothing = { type: "object", properties: {} }

/** An agent that plans, pays and deletes. `calls` records the steps of its model, `done` the calls of its tools. */
function agentsOf(calls: string[] = [], done: string[] = []): AgentsConfig {
  const model = scriptedModel(({ message, results, step, prompt }) => {
    calls.push(`${message} ${step}`)
    const before = prompt.filter(({ role }) => role === "user").length - 1
    if (step > 0) return { text: `I heard: ${String(results[0]?.output)}.` }
    if (["plan", "pay", "delete"].includes(message)) return { calls: [{ tool: message, input: {} }] }
    return { text: `You said ${message}, after ${before} messages.` }
  })
  const tool = { description: "A tool", inputSchema: nothing }
  const plan = {
    ...tool,
    handle: async (_: object, ask: Parameters<Handle>[1]) => {
      await ask.once("draft", () => void done.push("drafted"))
      return ask.choice("where", "Where to?", ["Rome", "Oslo"])
    },
  }
  const pay = {
    ...tool,
    handle: async (_: object, ask: Parameters<Handle>[1]) => {
      await ask.url("pay", "Please pay.", payUrl)
      return "paid"
    },
  }
  const remove = { ...tool, execute: () => void done.push("deleted") }
  const tools = { plan, pay, delete: remove }
  return { agents: { helper: { model, description: "Helps with trips", tools, policies: { delete: "ask" } } } }
}

type Handle = Extract<
  NonNullable<AgentsConfig["agents"][string]["tools"]>[string],
  { readonly handle: unknown }
>["handle"]

const kinds = ["v2 pinned to 2026-07-28", "v2 legacy", "v1.32"] as const satisfies readonly ClientKind[]

async function connect(server: AgentsServer, kind: ClientKind, reply: Reply): Promise<TestClient> {
  const client = await open(
    kind,
    {
      ...{ transport: "http", url: `${publicUrl}${mcpPath}` },
      fetch: (input, init) => server.fetch(new Request(input, init)),
    },
    { answer: () => reply },
  )
  onTestFinished(() => client.close())
  return client
}

describe.each(kinds)("an agent as a tool, called by %s", (kind) => {
  it("has the agent's name, and returns its reply", async () => {
    const client = await connect(await startAgents(agentsOf()), kind, { action: "cancel" })
    expect(await client.listTools()).toEqual(["helper"])
    expect(await client.call("helper", { message: "hello" })).toMatchObject({
      ...{ kind: "result", isError: false, text: "You said hello, after 0 messages." },
    })
  })

  it("asks in the client, and continues with the answer; each step and effect is done once", async () => {
    const [calls, done]: [string[], string[]] = [[], []]
    const server = await startAgents(agentsOf(calls, done))
    const client = await connect(server, kind, { action: "accept", content: { choice: "Oslo" } })
    expect(await client.call("helper", { message: "plan" })).toMatchObject({ text: "I heard: Oslo." })
    expect(client.prompts.map(({ message }) => message)).toEqual([expect.stringContaining("Where to?")])
    expect(calls).toEqual(["plan 0", "plan 1"])
    expect(done).toEqual(["drafted"])
    const questions = await server.hub.list({ tenant: "local", state: "all", limit: 10 })
    expect(questions.map(({ status }) => status)).toEqual(["completed"])
  })

  it("tells the model about a No to an approval, and does nothing", async () => {
    const done: string[] = []
    const client = await connect(await startAgents(agentsOf([], done)), kind, { action: "decline" })
    const called = await client.call("helper", { message: "delete" })
    const text = expect.stringContaining("did not allow this call")
    expect(called).toMatchObject({ kind: "result", isError: false, text })
    expect(client.prompts.map(({ message }) => message)).toEqual([
      expect.stringContaining("helper wants to run “delete”"),
    ])
    expect(done).toEqual([])
  })

  it("sends the person to a link, and continues when it is completed", async () => {
    const server = await startAgents(agentsOf())
    const client = await connect(server, kind, { action: "accept" })
    const called = client.call("helper", { message: "pay" })
    const open = () => server.hub.list({ tenant: "local", state: "open", limit: 10 })
    const statuses = async () => (await open()).map(({ status }) => status)
    await expect.poll(statuses, { timeout: 10_000 }).toEqual(["accepted"])
    const [question] = await open()
    expect(await server.hub.complete(question!.id)).toMatchObject({ ok: true })
    expect(await called).toMatchObject({ text: "I heard: paid." })
    expect(client.prompts.map(({ mode }) => mode)).toEqual(["url"])
  })

  it("continues the conversation that the client names, which the run API has too", async () => {
    const server = await startAgents(agentsOf())
    const client = await connect(server, kind, { action: "cancel" })
    await client.call("helper", { message: "first", conversationId: "c1" })
    const second = await client.call("helper", { message: "second", conversationId: "c1" })
    expect(second).toMatchObject({ text: "You said second, after 1 messages." })
    const { messages } = (await (await server.get("/run/api/conversations/c1")).json()) as { messages: unknown[] }
    expect(messages).toMatchObject([
      { role: "user", parts: [{ text: "first" }] },
      { role: "assistant" },
      { role: "user", parts: [{ text: "second" }] },
      { role: "assistant", parts: [{}, { type: "text", text: "You said second, after 1 messages." }] },
    ])
  })
})

describe("the MCP server of the agents", () => {
  it("refuses calls without a token, and says where to get one for it", async () => {
    const corp = { id: "corp", name: "Corp", issuer: "https://id.example", client: { id: "us" }, tenant: "acme" }
    const calls: string[] = []
    const server = await startAgents(agentsOf(calls), {
      people: { from: "providers", providers: [corp] },
      authorization: { resources: [runResource, mcpResource] },
    })
    const params = { name: "helper", arguments: { message: "hello" } }
    const refused = await server.post(mcpPath, { jsonrpc: "2.0", id: 1, method: "tools/call", params })
    expect(refused.status).toBe(401)
    const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`
    expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${publicUrl}${metadataPath}"`)
    const metadata = await server.get(metadataPath)
    expect(await metadata.json()).toMatchObject({
      resource: `${publicUrl}${mcpPath}`,
      scopes_supported: ["agents.run"],
    })
    expect(calls).toEqual([])
  })

  it("continues at another server that shares the storage, and repeats nothing", async () => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const [calls, done]: [string[], string[]] = [[], []]
    let server = await startAgents(agentsOf(calls, done), shared)
    const client = await open(
      "v2 pinned to 2026-07-28",
      {
        ...{ transport: "http", url: `${publicUrl}${mcpPath}` },
        fetch: (input, init) => server.fetch(new Request(input, init)),
      },
      {
        async answer() {
          await server.close()
          server = await startAgents(agentsOf(calls, done), shared)
          return { action: "accept", content: { choice: "Rome" } }
        },
      },
    )
    onTestFinished(() => client.close())
    const called = await client.call("helper", { message: "plan", conversationId: "c1" })
    expect(called).toMatchObject({ text: "I heard: Rome." })
    expect(calls).toEqual(["plan 0", "plan 1"])
    expect(done).toEqual(["drafted"])
    expect(await (await server.get("/run/api/conversations/c1")).json()).toMatchObject({ status: "done" })
  })

  it("refuses a call in a conversation whose last reply waits, and changes nothing", async () => {
    const server = await startAgents(agentsOf())
    const stream = await server.say("c1", "plan")
    await question(stream)
    const client = await connect(server, "v2 pinned to 2026-07-28", { action: "cancel" })
    const called = await client.call("helper", { message: "hello", conversationId: "c1" })
    expect(called).toMatchObject({ isError: true, text: expect.stringContaining("still in progress") })
    await stream.leave()
  })

  it("returns a plain error when the model fails, without the message of its provider", async () => {
    const model = scriptedModel(() => {
      throw new Error("key sk-123 was refused")
    })
    const reports: string[] = []
    const report = (doing: string, error: unknown): void => void reports.push(`${doing}: ${error}`)
    const server = await startAgents({ agents: { helper: { model } } }, { report })
    const client = await connect(server, "v2 pinned to 2026-07-28", { action: "cancel" })
    const called = await client.call("helper", { message: "hello", conversationId: "c1" })
    expect(await (await server.get("/run/api/conversations/c1")).json()).toMatchObject({ status: "failed" })
    expect(called).toMatchObject({ isError: true, text: expect.stringContaining("The model could not be used.") })
    expect(JSON.stringify(called)).not.toContain("sk-123")
    expect(reports.join()).toContain("running the agent helper")
    expect(reports.join()).not.toContain("sk-123")
  })
})
