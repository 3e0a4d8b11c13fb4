// The section `agents` of the configuration: all problems are reported together, before anything starts.

import { isHoldpointError } from "@holdpoint/hub"
import { describe, expect, it } from "vitest"
import { scriptedModel } from "../src/scripted-model.ts"
import { readAgents } from "../src/section.ts"

const model = scriptedModel(() => ({ text: "hello" }))
const inputSchema = { type: "object", properties: {} }

/** The problems of a section, as “path message suggestion”. */
function problemsOf(section: object): readonly string[] {
  try {
    readAgents(section as never)
    return []
  } catch (error) {
    if (!isHoldpointError(error)) throw error
    return (error.problems ?? []).map(({ path, message, suggestion = "" }) => `${path} ${message} ${suggestion}`.trim())
  }
}

const withAgent = (agent: object, more: object = {}) => ({ agents: { helper: { model, ...agent } }, ...more })
const withRemote = (translator: object, named = "translator") =>
  withAgent({ a2aAgents: [named] }, { a2aAgents: { translator } })
const withKey = (key: object) => withAgent({}, { apiKeys: [{ id: "app", sha256: "a".repeat(64), ...key }] })
const withServer = (server: object) => withAgent({ mcpServers: ["notes"] }, { mcpServers: { notes: server } })

describe("the section agents", () => {
  it("is used unchanged when it is valid", () => {
    const section = withAgent({
      ...{ instructions: "Be brief.", maxSteps: 5, policies: { "*": "ask", read: "always" }, agents: ["helper"] },
      tools: { read: { description: "Reads", inputSchema, execute: () => "read" } },
    })
    expect(readAgents(section as never)).toBe(section)
  })

  it("refuses a model that is given by name, which would go to a third-party gateway", () => {
    const [problem] = problemsOf({ agents: { helper: { model: "openai/gpt-5" } } })
    expect(problem).toContain("agents.agents.helper.model must be a model, not its name")
  })

  it.each<readonly [string, object, string]>([
    ["no agent", { agents: {} }, "agents.agents must name at least one agent"],
    ["no model", { agents: { helper: {} } }, "agents.agents.helper.model is missing"],
    [
      "an older model",
      withAgent({ model: { specificationVersion: "v2" } }),
      "agents.agents.helper.model must be a model of the AI SDK 7 (v4)",
    ],
    [
      "a misspelt member",
      withAgent({ instruction: "Be brief." }),
      "agents.agents.helper.instruction is not a setting. Did you mean instructions?",
    ],
    [
      "an unknown agent",
      withAgent({ agents: ["helpr"] }),
      "agents.agents.helper.agents names “helpr”, which is not configured. Did you mean helper?",
    ],
    [
      "an unknown server",
      withAgent({ mcpServers: ["notes"] }),
      "agents.agents.helper.mcpServers names “notes”, which is not configured.",
    ],
    [
      "an unknown remote agent",
      withRemote({ url: "https://a.example", credentialScope: "none" }, "transltor"),
      "agents.agents.helper.a2aAgents names “transltor”, which is not configured. Did you mean translator?",
    ],
    [
      "a remote agent without an address",
      withRemote({ credentialScope: "none" }),
      "agents.a2aAgents.translator.url is missing: the address of the agent",
    ],
    [
      "a remote agent with an invalid address",
      withRemote({ url: "file:///etc/passwd", credentialScope: "none" }),
      "agents.a2aAgents.translator.url must be an http or https address",
    ],
    [
      "a remote agent with accounts of people and no provider",
      withRemote({ url: "https://a.example", credentialScope: "user" }),
      "agents.a2aAgents.translator.provider is missing: the provider of the account whose credentials the calls carry",
    ],
    [
      "a misspelt member of a remote agent",
      withRemote({ url: "https://a.example", credentialScope: "none", heders: {} }),
      "agents.a2aAgents.translator.heders is not a setting. Did you mean headers?",
    ],
    [
      "an unknown default agent",
      withAgent({}, { default: "other" }),
      "agents.default names “other”, which is not configured",
    ],
    [
      "a policy that does not exist",
      withAgent({ policies: { read: "maybe" } }),
      "agents.agents.helper.policies.read must be",
    ],
    [
      "a tool without execute and handle",
      withAgent({ tools: { read: { description: "Reads", inputSchema } } }),
      "agents.agents.helper.tools.read needs either `execute` or `handle`",
    ],
    [
      "a server with both a url and a command",
      withServer({ credentialScope: "none", url: "https://a.example", command: "b" }),
      "agents.mcpServers.notes needs exactly one of `url`, `command` and `mcp`",
    ],
    [
      "no credential scope",
      withServer({ url: "https://a.example" }),
      "agents.mcpServers.notes.credentialScope is missing",
    ],
    [
      "a server with accounts of people and no provider",
      withServer({ url: "https://a.example", credentialScope: "user" }),
      "agents.mcpServers.notes.provider is missing",
    ],
    [
      "a stdio server without a variable for the credential",
      withServer({ command: "b", credentialScope: "user", provider: "p" }),
      "agents.mcpServers.notes.credentialVariable is missing",
    ],
    [
      "a misspelt limit",
      withAgent({}, { limits: { runsPerPersn: 3 } }),
      "agents.limits.runsPerPersn is not a setting. Did you mean runsPerPerson?",
    ],
    [
      "a misspelt member of an API key",
      withKey({ actFor: {} }),
      "agents.apiKeys.0.actFor is not a setting. Did you mean actsFor?",
    ],
    [
      "a misspelt member of the people for whom a key acts",
      withKey({ actsFor: { issuer: "https://login.example", tenant: "acme", tenat: "acme" } }),
      "agents.apiKeys.0.actsFor.tenat is not a setting. Did you mean tenant?",
    ],
    ["no replies at a time", withAgent({}, { limits: { runsPerPerson: 0 } }), "must be a whole number above 0"],
    ["no steps", withAgent({ maxSteps: 0 }), "agents.agents.helper.maxSteps must be a whole number above 0"],
  ])("refuses %s", (_what, section, words) => {
    expect(problemsOf(section).join("\n")).toContain(words)
  })

  it("reports all problems together", () => {
    expect(problemsOf({ agents: { helper: { model: "x", maxSteps: 0 } }, default: "y" })).toHaveLength(3)
  })
})
