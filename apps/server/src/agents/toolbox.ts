// Creates the agents of the configuration for a run, each with its model and the tools that it may call.

import { isHoldpointError } from "@holdpoint/sdk"
import type { A2aTools } from "./a2a-client/a2a-tools.ts"
import type { Agent } from "./agent.ts"
import { lastTextOutput, runAgent } from "./agent.ts"
import type { AgentConfig, AgentsConfig, ToolPolicy } from "./definition.ts"
import { toFunctionTool } from "./function-tool.ts"
import type { McpTools } from "./mcp/mcp-tools.ts"
import { modelErrorWords } from "./model-error.ts"
import type { RunningRun } from "./runs.ts"
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
  a2aTools: Pick<A2aTools, "toolsOf">,
): (name: string, run: RunningRun) => Agent {
  const configOf = (name: string): AgentConfig => {
    const agent = config.agents[name]
    if (agent === undefined) throw new Error(`The agent “${name}” is no longer in the configuration.`)
    return agent
  }
  const agentFor = (name: string, run: RunningRun): Agent => {
    const agent = configOf(name)
    const { model, title = name, instructions, maxSteps = defaultMaxSteps } = agent
    let cached: { readonly connected: number; readonly tools: Promise<readonly Tool[]> } | undefined
    const load = async (): Promise<readonly AvailableTool[]> => [
      ...Object.entries(agent.tools ?? {}).map(([tool, functionTool]) => toFunctionTool(tool, functionTool)),
      ...(agent.agents ?? []).map((called) => toAgentTool(called, run)),
      ...(await Promise.all((agent.a2aAgents ?? []).map((remote) => a2aTools.toolsOf(remote, run)))).flat(),
      ...(await Promise.all((agent.mcpServers ?? []).map((server) => mcpTools.toolsOf(server, run)))).flat(),
    ]
    const tools = (): Promise<readonly Tool[]> => {
      if (cached?.connected !== run.connected)
        cached = { connected: run.connected, tools: load().then((available) => toOwnTools(agent, available)) }
      return cached.tools
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
  const usedNames = new Set<string>()
  return tools.map((tool) => {
    const name = unusedName(tool, usedNames)
    usedNames.add(name)
    const namesInPolicies = [tool.name, toName(tool.name), prefixedName(tool), toName(prefixedName(tool)), name]
    const { server, ...ownTool } = tool
    const origin = server === undefined ? {} : { origin: { server, name: tool.name } }
    return { ...ownTool, ...origin, name, policy: strictestOf(policies, namesInPolicies) }
  })
}

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

const prefixedName = ({ server = "tool", name }: AvailableTool): string => `${server}_${name}`

const toName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, mostInName)

/** The length of names that all model providers accept. */
const mostInName = 64

/**
 * The strictest policy of these names, so that no policy for a tool is ignored, whichever of its names the
 * configuration uses. Only own members count: a server may call its tool “toString”.
 */
function strictestOf(policies: Readonly<Record<string, ToolPolicy>>, names: readonly string[]): ToolPolicy {
  const named = names.flatMap((name) => (Object.hasOwn(policies, name) ? (policies[name] ?? []) : []))
  const [strictest = policies["*"] ?? "always"] = named.sort((one, other) => strictness(other) - strictness(one))
  return strictest
}

function strictness(policy: ToolPolicy): number {
  switch (policy) {
    case "never":
      return 3
    case "ask":
      return 2
    case "always":
      return 0
    default:
      return 1
  }
}

/**
 * Replaces the error of a model provider, which may contain a key or an address, before other models or people see it.
 */
const withoutSecrets = (error: unknown): unknown =>
  isHoldpointError(error) ? error : new Error(modelErrorWords(error), { cause: error })
