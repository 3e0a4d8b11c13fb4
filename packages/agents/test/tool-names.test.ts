// Names and policies of tools: each tool of an agent has a name of its own, and the policies apply under each of its
// names.

import { createMemoryStorage } from "@holdpoint/hub"
import { createMcp } from "@holdpoint/mcp"
import { answer, newKeys, question, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { McpServer } from "@modelcontextprotocol/server"
import { describe, expect, it } from "vitest"
import type { AgentConfig, AgentsConfig, McpServerConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

interface Servers {
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>
  /** The tools that were called, with their server. */
  readonly called: string[]
}

/** MCP servers in this process, each with tools of these names. */
function serversWith(tools: Readonly<Record<string, readonly string[]>>): Servers {
  const called: string[] = []
  const toServer = (name: string): McpServer => {
    const server = new McpServer({ name, version: "1" })
    for (const tool of tools[name] ?? [])
      server.registerTool(tool, { description: `The ${tool} of ${name}` }, () => {
        called.push(`${name}: ${tool}`)
        return { content: [{ type: "text", text: "done" }] }
      })
    return server
  }
  const toConfig = (name: string): McpServerConfig => ({
    credentialScope: "none",
    mcp: (site) => createMcp({ ...site, name, callers: "anonymous", server: () => toServer(name) }),
  })
  return { called, mcpServers: Object.fromEntries(Object.keys(tools).map((name) => [name, toConfig(name)])) }
}

/** An agent that calls the tools that `choose` returns, and notes the tools that it was offered. */
function agentsWith(
  { mcpServers }: Pick<Servers, "mcpServers">,
  agent: Pick<AgentConfig, "tools" | "policies">,
  choose: (offered: readonly string[]) => readonly string[] = (offered) => offered,
): { readonly config: AgentsConfig; readonly offered: string[] } {
  const offered: string[] = []
  const model = scriptedModel(({ step, tools }) => {
    if (step > 0) return { text: "Done." }
    offered.push(...tools)
    return { calls: choose(tools).map((tool) => ({ tool, input: {} })) }
  })
  return {
    offered,
    config: { agents: { helper: { model, ...agent, mcpServers: Object.keys(mcpServers) } }, mcpServers },
  }
}

const functionTool = (execute: () => unknown) => ({
  description: "A function",
  inputSchema: { type: "object" },
  execute,
})

describe("each tool of an agent", () => {
  it("has a name of its own, even when its server's name and its own are the name of another", async () => {
    const servers = serversWith({ a: ["b"] })
    const tools = {
      a_b: functionTool(() => servers.called.push("a_b")),
      b: functionTool(() => servers.called.push("b")),
    }
    const { config, offered } = agentsWith(servers, { tools })
    const server = await startAgents(config)
    await (await server.say("c1", "go")).rest()
    expect(offered).toEqual(["a_b", "b", "a_b_2"])
    expect(servers.called.sort()).toEqual(["a: b", "a_b", "b"])
  })

  it("has a name of its own, even when long names differ only at their end", async () => {
    const long = "a".repeat(64)
    const names = ["1", "2", "3", "4"].map((ending) => `${long}${ending}`)
    const servers = serversWith({ notes: names })
    const { config, offered } = agentsWith(servers, {})
    const server = await startAgents(config)
    await (await server.say("c1", "go")).rest()
    expect(new Set(offered)).toHaveLength(4)
    expect(Math.max(...offered.map(({ length }) => length))).toBe(64)
    expect(servers.called.sort()).toEqual(names.map((name) => `notes: ${name}`))
  })
})

describe("a call that a person allows", () => {
  it("goes to the tool that was asked about, even when another tool has its name by then", async () => {
    const before = serversWith({ work: [], home: ["remove"] })
    const parts = { storage: createMemoryStorage(), keys: newKeys() }
    const first = await startAgents(agentsWith(before, { policies: { "*": "ask" } }).config, parts)
    const { elicitationId } = await question(await first.say("c1", "go"))
    await first.close()
    const after = serversWith({ work: ["remove"], home: ["remove"] })
    const second = await startAgents(agentsWith(after, { policies: { "*": "ask" } }).config, parts)
    await answer(second, "c1", { elicitationId, action: "accept", content: { confirmed: "yes" } })
    await expect.poll(() => after.called).toEqual(["home: remove"])
  })
})

describe("a policy", () => {
  it.each<readonly [string, NonNullable<AgentConfig["policies"]>, readonly string[]]>([
    ["of a name applies to the tools of all servers", { remove: "never" }, []],
    ["with a server's name applies to its tool only", { home_remove: "never" }, ["remove"]],
    ["with a server's name applies, even while no other tool has the name", { work_remove: "never" }, ["home_remove"]],
    ["may differ for each server", { "*": "never", home_remove: "always" }, ["home_remove"]],
    ["that is stricter wins", { home_remove: "always", remove: "never" }, []],
  ])("%s", async (_what, policies, names) => {
    const { config, offered } = agentsWith(serversWith({ work: ["remove"], home: ["remove"] }), { policies })
    const server = await startAgents(config)
    await (await server.say("c1", "go")).rest()
    expect(offered).toEqual(names)
  })

  it.each([
    ["its server gave it", "notes.remove"],
    ["people see", "notes_remove"],
  ])("applies under the name of a tool that %s", async (_who, name) => {
    const { config, offered } = agentsWith(serversWith({ notes: ["notes.remove"] }), { policies: { [name]: "never" } })
    const server = await startAgents(config)
    await (await server.say("c1", "go")).rest()
    expect(offered).toEqual([])
  })

  it("applies under a name that has a number", async () => {
    const tools = { a_b: functionTool(() => "done"), b: functionTool(() => "done") }
    const { config, offered } = agentsWith(serversWith({ a: ["b"] }), { tools, policies: { a_b_2: "never" } })
    const server = await startAgents(config)
    await (await server.say("c1", "go")).rest()
    expect(offered).toEqual(["a_b", "b"])
  })

  it("for all tools applies to a tool with the name of a method of every object", async () => {
    const tools = { toString: functionTool(() => "done") }
    const { config, offered } = agentsWith(serversWith({}), { tools, policies: { "*": "never" } })
    const server = await startAgents(config)
    await (await server.say("c1", "go")).rest()
    expect(offered).toEqual([])
  })

  it("that asks about the tool of one server asks about that tool, and a No keeps it from running", async () => {
    const servers = serversWith({ work: ["remove"], home: ["remove"] })
    const { config } = agentsWith(servers, { policies: { home_remove: "ask" } })
    const server = await startAgents(config)
    const stream = await server.say("c1", "go")
    const { elicitationId, message } = await question(stream)
    expect(message).toContain("home_remove")
    await answer(server, "c1", { elicitationId, action: "decline" })
    await stream.rest()
    expect(servers.called).toEqual(["work: remove"])
  })
})
