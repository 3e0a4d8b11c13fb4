// Agents as tools of an MCP server, whose own tools come from an MCP server in the same process and ask: the question is
// joined, and reaches the client of the outer call in whatever way that client can be asked.

import { createMcp, holdable } from "@holdpoint/mcp"
import { type AgentsServer, publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import type { ClientKind, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { McpServer } from "@modelcontextprotocol/server"
import { describe, expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { mcpPath } from "../src/agents-mcp.ts"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })

const several = {
  type: "object",
  properties: { rooms: { type: "array", items: { type: "string", enum: ["Blue", "Red"] } } },
  required: ["rooms"],
} as const

const sure = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const

/** Books after a Yes, asks for several rooms, or sends to a page. `booked` has the effects. */
function createRooms(booked: string[]): McpServer {
  const server = new McpServer({ name: "rooms", version: "1" })
  const inputSchema = z.object({})
  server.registerTool(
    "book",
    { description: "Books", inputSchema },
    holdable(async (_: object, ask) => {
      if (!(await ask.confirm("sure", "Book Blue?"))) return text("not booked")
      await ask.once("booked", () => void booked.push("Blue"))
      return text("booked")
    }),
  )
  server.registerTool(
    "several",
    { description: "Books several", inputSchema },
    holdable(async (_: object, ask) => text(JSON.stringify(await ask.form("which", "Which rooms?", several)))),
  )
  server.registerTool(
    "shortened",
    { description: "Shows a part", inputSchema },
    holdable(async (_: object, ask) =>
      text(JSON.stringify(await ask.form("long", "Pay …", sure, { detail: "Pay 9000 EUR" }))),
    ),
  )
  server.registerTool(
    "terms",
    { description: "Shows the terms", inputSchema },
    holdable(async (_: object, ask) => {
      await ask.url("terms", "Please read the terms.", "https://rooms.example/terms", { until: "accepted" })
      return text("agreed")
    }),
  )
  return server
}

const configOf = (booked: string[]): AgentsConfig => ({
  agents: {
    helper: {
      model: scriptedModel(({ message, step, results }) =>
        step > 0
          ? { text: `I heard: ${JSON.stringify(results[0]?.output)}.` }
          : { calls: [{ tool: message, input: {} }] },
      ),
      mcpServers: ["rooms"],
    },
  },
  mcpServers: {
    rooms: {
      credentialScope: "none",
      mcp: (site) => createMcp({ ...site, name: "rooms", callers: "anonymous", server: () => createRooms(booked) }),
    },
  },
})

async function connect(server: AgentsServer, kind: ClientKind, reply: Reply | "never"): Promise<TestClient> {
  const client = await open(
    kind,
    {
      ...{ transport: "http", url: `${publicUrl}${mcpPath}` },
      fetch: (input, init) => server.fetch(new Request(input, init)),
    },
    { answer: async () => (reply === "never" ? new Promise(() => {}) : reply) },
  )
  onTestFinished(() => client.close())
  return client
}

const kinds = [
  "v2 pinned to 2026-07-28",
  "v2 legacy",
  "v1.32",
  "raw 2025-06-18",
] as const satisfies readonly ClientKind[]

describe.each(kinds)("a server in the process of an agent that %s calls", (kind) => {
  const questions = (server: AgentsServer, state: "open" | "all") =>
    server.hub.list({ tenant: "local", state, limit: 10 })

  it("asks in the client, once, and continues with the answer", async () => {
    const booked: string[] = []
    const server = await startAgents(configOf(booked))
    const client = await connect(server, kind, { action: "accept", content: { confirmed: "yes" } })
    expect(await client.call("helper", { message: "book" })).toMatchObject({ text: 'I heard: "booked".' })
    expect(client.prompts.map(({ message }) => message)).toEqual(["Book Blue?"])
    expect((await questions(server, "all")).map(({ status }) => status)).toEqual(["completed"])
    expect(booked).toEqual(["Blue"])
  })

  it("does nothing after a No in the client", async () => {
    const booked: string[] = []
    const client = await connect(await startAgents(configOf(booked)), kind, { action: "decline" })
    expect(await client.call("helper", { message: "book" })).toMatchObject({ kind: "result" })
    expect([client.prompts.length, booked]).toEqual([1, []])
  })

  it("continues with an answer that is given elsewhere", async () => {
    const booked: string[] = []
    const server = await startAgents(configOf(booked))
    const client = await connect(server, kind, "never")
    const called = client.call("helper", { message: "book" })
    await expect.poll(() => client.prompts.length).toBe(1)
    const [question] = await questions(server, "open")
    if (question?.audience.kind !== "one") throw new Error("It is not for one person.")
    const yes = { by: question.audience.principal, action: "accept", content: { confirmed: "yes" } } as const
    expect(await server.hub.answer(question.id, yes)).toMatchObject({ ok: true })
    // A client of 2026-07-28 learns it with its next request, which this one never makes.
    if (kind.includes("2026")) return
    expect(await called).toMatchObject({ text: 'I heard: "booked".' })
    expect(booked).toEqual(["Blue"])
  })

  it("asks for several choices, on the page where the client cannot show them", async () => {
    const client = await connect(await startAgents(configOf([])), kind, {
      ...{ action: "accept", content: { rooms: ["Blue"] } },
    })
    const called = client.call("helper", { message: "several" })
    if (kind !== "raw 2025-06-18") expect(await called).toMatchObject({ text: expect.stringContaining("Blue") })
    await expect.poll(() => client.prompts.length).toBe(1)
    const [prompt] = client.prompts
    expect(prompt?.message.includes("/inbox/")).toBe(kind === "raw 2025-06-18")
  })

  it("leads to the page of a question that it cannot show whole", async () => {
    const client = await connect(await startAgents(configOf([])), kind, "never")
    void client.call("helper", { message: "shortened" })
    await expect.poll(() => client.prompts.length).toBe(1)
    const [prompt] = client.prompts
    expect(prompt?.mode === "url" || prompt?.message.includes("/inbox/")).toBe(true)
  })

  it("asks no more when the call is given up", async () => {
    const server = await startAgents(configOf([]))
    const client = await connect(server, kind, "never")
    const giveUp = new AbortController()
    const called = client.call("helper", { message: "book" }, { signal: giveUp.signal })
    await expect.poll(() => client.prompts.length).toBe(1)
    giveUp.abort()
    // A client of 2026-07-28 makes no request while its person thinks, so the server does not learn of it.
    if (kind.includes("2026")) return
    await called
    await expect.poll(async () => (await questions(server, "open")).length).toBe(0)
  })

  it("sends the person to a page", async () => {
    const client = await connect(await startAgents(configOf([])), kind, {
      ...{ action: "accept", content: { acknowledged: true } },
    })
    expect(await client.call("helper", { message: "terms" })).toMatchObject({ text: 'I heard: "agreed".' })
    expect(client.prompts).toHaveLength(1)
  })
})
