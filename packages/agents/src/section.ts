// Checks the section `agents` of holdpoint.config.ts, and reports all problems together before anything starts.

import { HoldpointError, type Problem } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import { checkCallers } from "./callers-section.ts"
import type { AgentsConfig } from "./definition.ts"
import { isObject, type Json } from "./json.ts"
import { type Policies, prefixedName, unknownPolicies } from "./policies.ts"
import { type Add, checkMembers, countRule, isCount, isText } from "./section-fields.ts"

/** Returns the problem of the value, or undefined when the value is valid. */
type Check = (value: unknown) => string | undefined

const mustBe =
  (expected: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : `must be ${expected}`
const oneOf = (...values: readonly string[]): Check =>
  mustBe(values.join(", "), (value) => values.includes(String(value)))
const text = mustBe("text", isText)
const texts = mustBe("a list of text", (value) => Array.isArray(value) && value.every(isText))
const object = mustBe("an object", isObject)
const list = mustBe("a list", Array.isArray)
const count: Check = (value) => (isCount(value) ? undefined : countRule)
const func = mustBe("a function", (value) => typeof value === "function")

/**
 * Refuses a model given as text: the AI SDK would look it up at a third-party gateway, which would receive all that
 * people write.
 */
const model: Check = (value) => {
  if (typeof value === "string") return modelAsText
  return isObject(value) && value.specificationVersion === "v4" ? undefined : "must be a model of the AI SDK 7 (v4)"
}
const modelAsText =
  "must be a model, not its name: the AI SDK would look up a name at a gateway that you did not choose. Use a provider of the AI SDK, or openAiCompatible({ … })"

const scopes: Check = (value) => (typeof value === "function" ? undefined : texts(value))
const toolPolicy = mustBe(
  'never, ask, always or { policy: "ask", editable: true }',
  (value) =>
    ["never", "ask", "always"].includes(value as string) ||
    (isObject(value) && Object.keys(value).length === 2 && value.policy === "ask" && value.editable === true),
)

const sectionFields: Fields = {
  ...{ agents: object, default: text, mcpServers: object, origins: texts, apiKeys: list, issuers: list },
  a2aAgents: object,
  ...{ conversationMs: count, questionMs: count, limits: object, cardKey: text },
}
const agentFields: Fields = {
  ...{ model, title: text, instructions: text, description: text, mcpServers: texts, tools: object, agents: texts },
  ...{ policies: object, maxSteps: count, a2aAgents: texts },
}
const toolFields: Fields = {
  title: text,
  description: text,
  inputSchema: object,
  execute: func,
  handle: func,
  repeatable: () => undefined,
}
const accountFields: Fields = {
  ...{ credentialScope: oneOf("user", "project", "none"), provider: text, scopes, project: text, title: text },
}
const httpAddress = mustBe("an http or https address", (value) => isText(value) && /^https?:$/.test(protocolOf(value)))
const protocolOf = (value: string): string => URL.parse(value)?.protocol ?? ""
const remoteFields: Fields = { ...accountFields, url: httpAddress, headers: object }
const serverFields: Fields = {
  ...accountFields,
  ...{
    tools: list,
    url: text,
    headers: object,
    command: text,
    args: texts,
    env: object,
    credentialVariable: text,
    mcp: func,
  },
}

type Fields = Readonly<Record<string, Check>>

/** Throws `invalid_config` with every problem of the section. */
export function readAgents(section: Json): AgentsConfig {
  const problems: Problem[] = []
  const add = (path: string, message: string, suggestion?: string): void =>
    void problems.push({ path, message, ...(suggestion === undefined ? {} : { suggestion }) })
  checkFields({ value: section, path: "agents", fields: sectionFields, add })
  const [agents, servers] = [membersOf(section.agents), membersOf(section.mcpServers)]
  const remotes = membersOf(section.a2aAgents)
  if (agents.size === 0) add("agents.agents", "must name at least one agent")
  for (const [name, agent] of agents) checkAgent({ name, agent, agents, servers, remotes, add })
  for (const [name, server] of servers) checkServer({ name, server, add })
  for (const [name, remote] of remotes) checkRemote({ name, remote, add })
  checkDefault(section, agents, add)
  checkCallers(section, add)
  if (problems.length > 0) throw new HoldpointError("invalid_config", "The agents cannot be used.", { problems })
  return section as unknown as AgentsConfig
}

type Members = ReadonlyMap<string, Json>

const membersOf = (value: unknown): Members =>
  new Map(Object.entries(isObject(value) ? value : {}).map(([name, one]) => [name, isObject(one) ? one : {}]))

function checkFields(field: {
  readonly value: Json
  readonly path: string
  readonly fields: Fields
  readonly add: Add
}): void {
  const { value, path, fields, add } = field
  checkMembers({ value, path, known: Object.keys(fields), add })
  for (const [name, one] of Object.entries(value)) {
    const message = one === undefined ? undefined : fields[name]?.(one)
    if (message !== undefined) add(`${path}.${name}`, message)
  }
}

interface CheckedAgent {
  readonly name: string
  readonly agent: Json
  readonly agents: Members
  readonly servers: Members
  readonly remotes: Members
  readonly add: Add
}

function checkAgent({ name, agent, agents, servers, remotes, add }: CheckedAgent): void {
  const path = `agents.agents.${name}`
  if (!toolName.test(name)) add(path, `is not a name: ${nameRule}`)
  if (agent.model === undefined) add(`${path}.model`, "is missing")
  checkFields({ value: agent, path, fields: agentFields, add })
  for (const [tool, one] of membersOf(agent.tools)) {
    if (!toolName.test(tool)) add(`${path}.tools.${tool}`, `is not a name: ${nameRule}`)
    checkFields({ value: one, path: `${path}.tools.${tool}`, fields: toolFields, add })
    if ((one.execute === undefined) === (one.handle === undefined))
      add(`${path}.tools.${tool}`, "needs either `execute` or `handle`")
  }
  checkNames({ names: agent.agents, path: `${path}.agents`, configured: agents, add })
  checkNames({ names: agent.mcpServers, path: `${path}.mcpServers`, configured: servers, add })
  checkNames({ names: agent.a2aAgents, path: `${path}.a2aAgents`, configured: remotes, add })
  for (const [tool, policy] of Object.entries(isObject(agent.policies) ? agent.policies : {})) {
    const message = toolPolicy(policy)
    if (message !== undefined) add(`${path}.policies.${tool}`, message)
  }
  checkPolicyNames({ path, agent, add })
}

/**
 * Reports names in policies that no tool has. The tools of MCP servers are listed later: an agent with such servers may
 * have policies for names that are not known yet, unless they are nearly the name of a tool that is.
 */
function checkPolicyNames({ path, agent, add }: Pick<CheckedAgent, "agent" | "add"> & { readonly path: string }): void {
  const listed = (names: unknown): readonly string[] => (Array.isArray(names) ? names.map(String) : [])
  const servers = listed(agent.mcpServers)
  const ownTools = [...membersOf(agent.tools).keys(), ...listed(agent.agents), ...listed(agent.a2aAgents)]
  const names = ownTools.flatMap((name) => [name, prefixedName({ name })])
  const policies = isObject(agent.policies) ? (agent.policies as Policies) : {}
  for (const { name, suggestion } of unknownPolicies(policies, names)) {
    if (servers.some((server) => name.startsWith(`${server}_`) || name === `connect_${server}`)) continue
    if (servers.length > 0 && suggestion === undefined) continue
    add(
      `${path}.policies.${name}`,
      "is not a tool of this agent, so the policy would have no effect.",
      suggestion === undefined ? `Its tools are: ${ownTools.join(", ") || "none"}.` : `Did you mean ${suggestion}?`,
    )
  }
}

/** The tool names that all model providers accept. */
const toolName = /^[a-zA-Z0-9_-]{1,64}$/
const nameRule = "use up to 64 letters, digits, _ and -"

function checkNames({
  names,
  path,
  configured,
  add,
}: {
  readonly names: unknown
  readonly path: string
  readonly configured: Members
  readonly add: Add
}): void {
  for (const name of Array.isArray(names) ? names.map(String) : []) {
    const suggestion = nearest(name, [...configured.keys()])
    if (!configured.has(name))
      add(path, `names “${name}”, which is not configured.`, suggestion && `Did you mean ${suggestion}?`)
  }
}

function checkServer({ name, server, add }: { readonly name: string; readonly server: Json; readonly add: Add }): void {
  const path = `agents.mcpServers.${name}`
  checkFields({ value: server, path, fields: serverFields, add })
  const { credentialScope, url, command, mcp, credentialVariable } = server
  if ([url, command, mcp].filter((one) => one !== undefined).length !== 1)
    add(path, "needs exactly one of `url`, `command` and `mcp`")
  checkAccount(server, path, add)
  if (command !== undefined && credentialScope === "user" && credentialVariable === undefined)
    add(
      `${path}.credentialVariable`,
      "is missing: the environment variable in which the program gets the person's credential",
    )
}

interface CheckedRemote {
  readonly name: string
  readonly remote: Json
  readonly add: Add
}

/**
 * Checks a remote agent. Its name must be a valid tool name, because models give it tasks through a tool of this name.
 */
function checkRemote({ name, remote, add }: CheckedRemote): void {
  const path = `agents.a2aAgents.${name}`
  if (!toolName.test(name)) add(path, `is not a name: ${nameRule}`)
  checkFields({ value: remote, path, fields: remoteFields, add })
  if (remote.url === undefined) add(`${path}.url`, "is missing: the address of the agent")
  checkAccount(remote, path, add)
}

function checkAccount({ credentialScope, provider }: Json, path: string, add: Add): void {
  if (credentialScope === undefined) add(`${path}.credentialScope`, "is missing: user, project or none")
  else if (credentialScope !== "none" && provider === undefined)
    add(`${path}.provider`, "is missing: the provider of the account whose credentials the calls carry")
}

function checkDefault({ default: named }: Json, agents: Members, add: Add): void {
  if (isText(named) && !agents.has(named)) add("agents.default", `names “${named}”, which is not configured`)
}
