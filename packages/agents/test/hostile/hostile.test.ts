// Hostile MCP servers, as processes over stdio and HTTP: what they send stops neither the server nor the run.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { usually } from "@holdpoint/testkit/long"
import { describe, expect, it, onTestFinished } from "vitest"
import type { McpServerConfig } from "../../src/definition.ts"
import { scriptedModel } from "../../src/scripted-model.ts"

const program = fileURLToPath(new URL("server.ts", import.meta.url))

const hugeSize = String(usually(15_000_000, { long: 200_000_000 }))
const transports = ["stdio", "http", "events"] as const

async function configOf(transport: (typeof transports)[number], list = "usual"): Promise<McpServerConfig> {
  if (transport === "stdio")
    return {
      command: process.execPath,
      args: ["--no-warnings", program, "stdio", list, hugeSize],
      credentialScope: "none",
    }
  const child = spawn(process.execPath, ["--no-warnings", program, transport, list, hugeSize], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]
  const { port } = JSON.parse(line) as { readonly port: number }
  return { url: `http://127.0.0.1:${port}/mcp`, credentialScope: "none" }
}

/** An agent that calls the tool, and then “works”, and replies with both results. */
async function resultsOf(server: McpServerConfig, tool: string, input: object = {}): Promise<readonly string[]> {
  const model = scriptedModel(({ results, step }) => {
    if (step === 0) return { calls: [{ tool, input }] }
    if (step === 1) return { calls: [{ tool: "works", input: {} }] }
    return { text: JSON.stringify(results.map(({ output }) => output)) }
  })
  const agents = await startAgents({
    agents: { helper: { model, mcpServers: ["hostile"], policies: { "*": "always" } } },
    mcpServers: { hostile: server },
  })
  const stream = await agents.say("c1", "go")
  return (JSON.parse(textOf(await stream.rest())) as unknown[]).map((output) => JSON.stringify(output))
}

const works = expect.stringContaining("It works.")

describe.each(transports)("a hostile MCP server over %s", (transport) => {
  it("that sends far too much is read up to a limit, and the model reads that the tool ran", async () => {
    const [huge, next] = await resultsOf(await configOf(transport), "huge")
    expect(huge).toContain("ran “huge”, and its result was not read: it is larger than 10 MB.")
    expect(next).toEqual(works)
  })

  it("that nests a result deeply is refused in words", async () => {
    const [deep, next] = await resultsOf(await configOf(transport), "deep")
    expect(deep).toContain("its result was not read: it is nested more than 100 levels deep.")
    expect(next).toEqual(works)
  })

  it("that sends too many parts is refused in words", async () => {
    const [parts, next] = await resultsOf(await configOf(transport), "parts")
    expect(parts).toContain("its result was not read: it has more than 1000 parts.")
    expect(next).toEqual(works)
  })
})

describe("a hostile MCP server", () => {
  it("cannot hold the server with a pattern in a schema", async () => {
    const results = await resultsOf(await configOf("stdio"), "pattern", { a: `${"a".repeat(40)}!` })
    expect(results).toEqual([works, works])
  })

  it("cannot take the server's memory with a schema that doubles: its tool is not called", async () => {
    const [doubled, next] = await resultsOf(await configOf("stdio"), "doubled")
    expect(doubled).toContain(
      "The arguments cannot be checked: with the schema that the tool's server lists, that takes",
    )
    expect(next).toEqual(works)
  })

  it.each(["pages", "tools", "descriptions"])("that lists %s without end offers no tool", async (list) => {
    const offered: (readonly string[])[] = []
    const model = scriptedModel(({ tools }) => {
      offered.push(tools)
      return { text: "Done." }
    })
    const reports: string[] = []
    const agents = await startAgents(
      {
        agents: { helper: { model, mcpServers: ["hostile"] } },
        mcpServers: { hostile: await configOf("stdio", list) },
      },
      { report: (activity: string, error: unknown) => void reports.push(`${activity}: ${String(error)}`) } as never,
    )
    const stream = await agents.say("c1", "go")
    expect(textOf(await stream.rest())).toBe("Done.")
    expect(offered).toEqual([["connect_hostile"]])
  })
})
