// Creates the agents of the configuration for a run, each with its model and the tools that it may call.

import { isHoldpointError } from "@holdpoint/hub"
import type { Agent } from "./agent.ts"
import { lastTextOutput, runAgent } from "./agent.ts"
import type { AgentConfig, AgentsConfig } from "./definition.ts"
import { toFunctionTool } from "./function-tool.ts"
import type { McpTools } from "./mcp/mcp-tools.ts"
import { modelErrorWords } from "./model-error.ts"
import { type NamedTool, policyOf, prefixedName, type UnknownPolicy, unknownPolicies } from "./policies.ts"
import type { RunningRun } from "./runs.ts"
import type { RemoteTools } from "./surface.ts"
import { taskSchema } from "./task-schema.ts"
import type { AvailableTool, Tool } from "./tool.ts"

const defaultMaxSteps = 20

/**
 * Returns a function that creates an agent for a run. The tools of the agent are listed on first use, and again after
 * an account was connected.
 */
export function createToolbox(
  config: AgentsConfig,
  mcpTools: Pick<McpTools, "toolsOf">,
  remoteTools: Pick<RemoteTools, "toolsOf">,
  report: (activity: string, error: unknown) => void,
): (name: string, run: RunningRun) => Agent {
  const configOf = (name: string): AgentConfig => {
    const agent = config.agents[name]
    if (agent === undefined) throw new Error(`The agent “${name}” is no longer in the configuration.`)
    return agent
  }
  const reportedPolicies = new Set<string>()
  /** Reports the names in policies that no tool has, once each, when the tools of all servers are known. */
  const reportUnknown = (name: string, { policies = {} }: AgentConfig, tools: readonly AvailableTool[]): void => {
    if (tools.some(({ isPlaceholder, isHidden }) => isPlaceholder === true && isHidden !== true)) return
    const names = nameTools(tools).flatMap((one) => one.names)
    for (const unknown of unknownPolicies(policies, names)) {
      const key = JSON.stringify([name, unknown.name])
      if (reportedPolicies.has(key)) continue
      reportedPolicies.add(key)
      report(`reading the policies of the agent ${name}`, new Error(unknownPolicyWords(unknown)))
    }
  }
  const agentFor = (name: string, run: RunningRun): Agent => {
    const agent = configOf(name)
    const { model, title = name, instructions, maxSteps = defaultMaxSteps } = agent
    let cached: { readonly connected: number; readonly tools: Promise<readonly Tool[]> } | undefined
    const load = async (): Promise<readonly AvailableTool[]> => [
      ...Object.entries(agent.tools ?? {}).map(([tool, functionTool]) => toFunctionTool(tool, functionTool)),
      ...(agent.agents ?? []).map((called) => toAgentTool(called, run)),
      ...(await Promise.all((agent.a2aAgents ?? []).map((remote) => remoteTools.toolsOf(remote, run)))).flat(),
      ...(await Promise.all((agent.mcpServers ?? []).map((server) => mcpTools.toolsOf(server, run)))).flat(),
    ]
    const tools = (): Promise<readonly Tool[]> => {
      if (cached?.connected !== run.connected) cached = { connected: run.connected, tools: load().then(toTools) }
      return cached.tools
    }
    const toTools = (available: readonly AvailableTool[]): readonly Tool[] => {
      reportUnknown(name, agent, available)
      return toOwnTools(agent, available)
    }
    return {
      ...{ name, title, model, maxSteps, ...(instructions === undefined ? {} : { instructions }) },
      tools,
    }
  }
  const toAgentTool = (name: string, run: RunningRun): AvailableTool => ({
    ...{ name, title: configOf(name).title ?? name, inputSchema: taskSchema },
    description: configOf(name).description ?? `Gives a task to the agent “${name}” and returns its reply.`,
    async run({ call, context }) {
      const { task } = call.input as { readonly task: string }
      const messages = await runAgent(agentFor(name, run), {
        ...{ ...context, log: undefined, path: [...context.path, name] },
        prompt: async () => [{ role: "user", content: task }],
      }).catch((error: unknown) => Promise.reject(withoutSecrets(error)))
      return lastTextOutput(messages)
    },
  })
  return agentFor
}

/** Gives each tool a name of its own, which models accept, and the policy that the agent has for it. */
function toOwnTools({ policies = {} }: AgentConfig, tools: readonly AvailableTool[]): readonly Tool[] {
  const named = nameTools(tools)
  return named.map((one) => {
    const { server, foreign: _list, ...ownTool } = one.tool
    const origin = server === undefined ? {} : { origin: { server, name: one.tool.name } }
    return { ...ownTool, ...origin, name: one.name, policy: policyOf(policies, one, named) }
  })
}

interface OwnNamedTool extends NamedTool {
  /** The name under which models call the tool. */
  readonly name: string
}

function nameTools(tools: readonly AvailableTool[]): readonly OwnNamedTool[] {
  const usedNames = new Set<string>()
  return tools.map((tool) => {
    const name = unusedName(tool, usedNames)
    usedNames.add(name)
    return { tool, name, names: [tool.name, toName(tool.name), prefixedName(tool), toName(prefixedName(tool)), name] }
  })
}

const unknownPolicyWords = ({ name, suggestion }: UnknownPolicy): string =>
  `A policy is for “${name}”, which is not a tool of this agent, so it has no effect.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`

/** The tool's name. If it is used already: with the name of its server as a prefix, and then also with a number. */
function unusedName(tool: AvailableTool, usedNames: ReadonlySet<string>): string {
  const names = [toName(tool.name), toName(prefixedName(tool))]
  for (let number = 2; ; number++) {
    const name = names.find((one) => !usedNames.has(one))
    if (name !== undefined) return name
    const ending = `_${number}`
    names.push(`${toName(prefixedName(tool)).slice(0, mostInName - ending.length)}${ending}`)
  }
}

const toName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, mostInName)

/** The length of names that all model providers accept. */
const mostInName = 64

/**
 * Replaces the error of a model provider, which may contain a key or an address, before other models or people see it.
 */
const withoutSecrets = (error: unknown): unknown =>
  isHoldpointError(error) ? error : new Error(modelErrorWords(error), { cause: error })
