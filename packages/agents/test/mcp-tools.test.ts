// Tools of MCP servers: the agent asks for the person's account before it calls the server, and then uses the account
// immediately.

import { createHash } from "node:crypto"
import { createMemoryStorage } from "@holdpoint/hub"
import type { TimelineItem } from "@holdpoint/hub/stream"
import { createMcp, holdable } from "@holdpoint/mcp"
import type { AgentsServer } from "@holdpoint/testkit/agents/agents-server"
import { answer, newKeys, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { connectKey } from "@holdpoint/testkit/agents/connecting"
import { type GuardedServer, goodKey, startGuardedServer } from "@holdpoint/testkit/agents/guarded-server"
import { readEvents } from "@holdpoint/testkit/agents/read-events"
import { McpServer } from "@modelcontextprotocol/server"
import { describe, expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import type { AgentsConfig, McpServerConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const listed = [{ name: "list_notes", description: "Lists the notes", inputSchema: { type: "object" } }]

/** An agent that calls `list_notes`, or else its first tool, this many times, and replies with the results. */
function notesAgents(server: McpServerConfig, times = 1): AgentsConfig {
  const model = scriptedModel(({ results, step, tools }) => {
    if (step < times)
      return { calls: [{ tool: tools.includes("list_notes") ? "list_notes" : (tools[0] ?? ""), input: {} }] }
    return { text: results.map(({ output }) => JSON.stringify(output)).join(" | ") }
  })
  return {
    agents: { helper: { model, mcpServers: ["notes"], policies: { "*": "always" } } },
    mcpServers: { notes: server },
  }
}

const userScoped = ({ url }: GuardedServer): McpServerConfig => ({
  ...{ url, credentialScope: "user", provider: "notes", tools: listed },
})

const settings = ({ provider }: GuardedServer) => ({ providers: [provider], network: { allowLoopback: true } })

const connect = (server: AgentsServer, elicitationId: string): Promise<void> =>
  connectKey(server, elicitationId, goodKey)

describe("a tool of a server with accounts of people", () => {
  it("puts the request for the account and its answer into the timeline, live and afterwards", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(notesAgents(userScoped(notes)), settings(notes))
    const events = readEvents(await server.get("/run/api/events?conversation=c1"))
    onTestFinished(() => events.leave())
    const live = (): readonly TimelineItem[] =>
      events.seen.flatMap(({ event, data }) => (event === "timeline" ? [data.item as TimelineItem] : []))
    const seen = (wanted: string) =>
      events.until(({ event, data }) => event === "timeline" && (data.item as TimelineItem).kind === wanted)
    const stream = await server.say("c1", "list my notes")
    const { elicitationId } = await question(stream)
    await seen("paused")
    await connect(server, elicitationId)
    await stream.rest()
    await seen("run-ended")
    expect(live().map(({ kind }) => kind)).toEqual([
      ...["run-started", "tool-called", "asked", "paused", "opened", "accepted", "answered", "resumed"],
      ...["tool-finished", "run-ended"],
    ])
    expect(live()[2]).toMatchObject({ elicitationId, mode: "url" })
    const waitedMs = Date.parse(live()[7]?.at ?? "") - Date.parse(live()[3]?.at ?? "")
    expect(live()[7]).toMatchObject({ kind: "resumed", waitedMs })
    const { items } = (await (await server.get("/run/api/conversations/c1/timeline")).json()) as { items: unknown }
    expect(items).toEqual(live())
  })

  it("asks before the server is called, and continues with the same call when the account is connected", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(notesAgents(userScoped(notes)), settings(notes))
    const stream = await server.say("c1", "list my notes")
    const asked = await question(stream)
    expect(asked).toMatchObject({
      ...{ type: "elicitation-request", mode: "url" },
      context: {
        ...{ trigger: "credential_required", toolName: "list_notes" },
        ...{ provider: "notes", providerName: "Example Notes", credentialType: "api_key" },
      },
    })
    expect(asked.url).toBe(`http://127.0.0.1:4650/connect/${asked.elicitationId}`)
    expect([notes.calls, notes.unauthorized()]).toEqual([[], 0])
    await connect(server, asked.elicitationId)
    expect(textOf(await stream.rest())).toBe('"Milk, Bread"')
    expect([notes.calls, notes.unauthorized()]).toEqual([["list_notes"], 0])
    expect(JSON.stringify(stream.seen)).not.toContain(goodKey)
  })

  it("fails immediately for a program without a person, which gets no account of other people", async () => {
    const notes = await startGuardedServer()
    const key = "the-key-of-a-program"
    const apiKeys = [{ id: "cron", sha256: createHash("sha256").update(key).digest("hex") }]
    const server = await startAgents({ ...notesAgents(userScoped(notes)), apiKeys }, settings(notes))
    const stream = await server.say("c1", "list my notes")
    await connect(server, (await question(stream)).elicitationId)
    await stream.rest()
    const program = await server.say("c1", "list my notes", { "x-supports-elicitation": "true", "x-api-key": key })
    const chunks = await program.rest()
    expect(chunks.map(({ type }) => type)).not.toContain("data-elicitation")
    expect(textOf(chunks)).toContain("requires user authentication")
    expect([notes.calls, notes.unauthorized()]).toEqual([["list_notes"], 0])
  })

  it("does not ask a second time in another conversation", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(notesAgents(userScoped(notes)), settings(notes))
    const stream = await server.say("c1", "list my notes")
    await connect(server, (await question(stream)).elicitationId)
    await stream.rest()
    expect(textOf(await (await server.say("c2", "list my notes", {})).rest())).toBe('"Milk, Bread"')
  })

  it("wakes both conversations that wait for one account, with one question", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(notesAgents(userScoped(notes)), settings(notes))
    const streams = [await server.say("c1", "list my notes"), await server.say("c2", "list my notes")]
    const [one, other] = await Promise.all(streams.map(question))
    expect(other?.elicitationId).toBe(one?.elicitationId)
    await connect(server, one?.elicitationId ?? "")
    const texts = await Promise.all(streams.map(async (stream) => textOf(await stream.rest())))
    expect(texts).toEqual(['"Milk, Bread"', '"Milk, Bread"'])
  })

  it("tells the model immediately when the person cannot be asked, and asks nothing", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(notesAgents(userScoped(notes)), settings(notes))
    const replyText = textOf(await (await server.say("c1", "list my notes", {})).rest())
    expect(replyText).toContain(
      "Tool list_notes requires user authentication. The user needs to connect their Example Notes account before this tool can be used.",
    )
    expect(replyText).toContain("http://127.0.0.1:4650/account")
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toEqual([])
    expect(notes.unauthorized()).toBe(0)
  })

  it("does not ask again in the same reply for an account that the person declined", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(notesAgents(userScoped(notes), 2), settings(notes))
    const stream = await server.say("c1", "list my notes")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "decline" })
    const replyText = textOf(await stream.rest())
    expect(replyText.split("Authentication required but not provided.")).toHaveLength(3)
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toHaveLength(1)
    expect([notes.calls, notes.unauthorized()]).toEqual([[], 0])
  })

  it("is a single tool that connects the account until the server's tools are known", async () => {
    const notes = await startGuardedServer()
    const { tools: _tools, ...unknown } = userScoped(notes)
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const server = await startAgents(notesAgents(unknown as McpServerConfig, 2), { ...settings(notes), ...shared })
    const stream = await server.say("c1", "list my notes")
    const asked = await question(stream)
    expect(asked.context.toolName).toBe("connect_notes")
    await connect(server, asked.elicitationId)
    expect(textOf(await stream.rest())).toBe('"notes is connected. Its tools can be called now." | "Milk, Bread"')
    expect(notes.unauthorized()).toBe(0)
  })
})

describe("a server of this process", () => {
  const holding = (): McpServerConfig => ({
    credentialScope: "none",
    mcp: (site) =>
      createMcp({
        ...site,
        ...{ name: "rooms", callers: "anonymous" },
        server: () => {
          const server = new McpServer({ name: "rooms", version: "1" })
          server.registerTool(
            "book_room",
            { description: "Books a room", inputSchema: z.object({ room: z.string() }) },
            holdable(async ({ room }: { room: string }, ask) => {
              const isSure = await ask.confirm("sure", `Book ${room}?`)
              return { content: [{ type: "text", text: isSure ? `${room} is booked` : "not booked" }] }
            }),
          )
          return server
        },
      }),
  })
  const config = (): AgentsConfig => ({
    agents: {
      helper: {
        model: scriptedModel(({ step, results }) =>
          step === 0
            ? { calls: [{ tool: "book_room", input: { room: "Blue" } }] }
            : { text: JSON.stringify(results[0]?.output) },
        ),
        mcpServers: ["rooms"],
      },
    },
    mcpServers: { rooms: holding() },
  })

  it("asks on the same hub: one record, one row in the inbox, one part in the stream", async () => {
    const server = await startAgents(config())
    const stream = await server.say("c1", "book the blue room")
    const { elicitationId } = await question(stream)
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toHaveLength(1)
    await answer(server, "c1", { elicitationId, action: "accept", content: { confirmed: "yes" } })
    expect(textOf(await stream.rest())).toBe('"Blue is booked"')
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toHaveLength(1)
  })

  it("stores no question when the person cannot be asked", async () => {
    const server = await startAgents(config())
    expect(textOf(await (await server.say("c1", "book the blue room", {})).rest())).toContain("no way to ask")
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toEqual([])
  })
})

describe("a stdio server with the account of each person", () => {
  /** A server on stdio that returns the key in its environment. */
  const program = `
    import { McpServer } from "@modelcontextprotocol/server"
    import { serveStdio } from "@modelcontextprotocol/server/stdio"
    serveStdio(() => {
      const server = new McpServer({ name: "notes", version: "1" })
      const tell = async () => ({ content: [{ type: "text", text: "key ends in " + process.env.NOTES_KEY.slice(-4) }] })
      server.registerTool("list_notes", { description: "Lists the notes" }, tell)
      return server
    })`

  it("gets the credential in the variable that the configuration names, once it is connected", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(
      notesAgents({
        ...{ command: process.execPath, args: ["--input-type=module", "--eval", program] },
        ...{ credentialScope: "user", provider: "notes", credentialVariable: "NOTES_KEY", tools: listed },
      }),
      settings(notes),
    )
    const stream = await server.say("c1", "list my notes")
    await connect(server, (await question(stream)).elicitationId)
    expect(textOf(await stream.rest())).toBe(`"key ends in ${goodKey.slice(-4)}"`)
  })

  it("is refused at the start when no variable is configured", async () => {
    const config = notesAgents({ command: "notes", credentialScope: "user", provider: "notes" })
    await expect(startAgents(config)).rejects.toThrow("The agents cannot be used.")
  })
})
