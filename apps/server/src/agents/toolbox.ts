// Creates the agents of the configuration for a run, each with its model and the tools that it may call.

import { isHoldpointError } from "@holdpoint/sdk"
import type { A2aTools } from "./a2a-client/a2a-tools.ts"
import type { Agent } from "./agent.ts"
import { lastWords, runAgent } from "./agent.ts"
import type { AgentConfig, AgentsConfig, ToolPolicy } from "./definition.ts"
import { toFunctionTool } from "./function-tool.ts"
import type { McpTools } from "./mcp/mcp-tools.ts"
import { modelErrorWords } from "./model-error.ts"
import type { RunningRun } from "./runs.ts"
import { taskSchema } from "./task-schema.ts"
import type { Tool } from "./tool.ts"

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
    const policyOf = (tool: string): ToolPolicy => agent.policies?.[tool] ?? agent.policies?.["*"] ?? "always"
    let cached: { readonly connected: number; readonly tools: Promise<readonly Tool[]> } | undefined
    const load = async (): Promise<readonly Tool[]> => [
      ...Object.entries(agent.tools ?? {}).map(([tool, functionTool]) =>
        toFunctionTool(tool, functionTool, policyOf(tool)),
      ),
      ...(agent.agents ?? []).map((called) => toAgentTool(called, run, policyOf(called))),
      ...(
        await Promise.all((agent.a2aAgents ?? []).map((remote) => a2aTools.toolsOf(remote, run, policyOf(remote))))
      ).flat(),
      ...(await Promise.all((agent.mcpServers ?? []).map((server) => mcpTools.toolsOf(server, run, policyOf)))).flat(),
    ]
    const tools = (): Promise<readonly Tool[]> => {
      if (cached?.connected !== run.connected)
        cached = { connected: run.connected, tools: load().then(withDistinctNames) }
      return cached.tools
    }
    return {
      ...{ name, title, model, maxSteps, ...(instructions === undefined ? {} : { instructions }) },
      tools,
    }
  }
  const toAgentTool = (name: string, run: RunningRun, policy: ToolPolicy): Tool => ({
    ...{ name, title: configOf(name).title ?? name, policy, inputSchema: taskSchema },
    description: configOf(name).description ?? `Gives a task to the agent “${name}” and returns its reply.`,
    async run({ call, context }) {
      const { task } = call.input as { readonly task: string }
      const messages = await runAgent(agentFor(name, run), {
        ...{ ...context, log: undefined, path: [...context.path, name] },
        prompt: async () => [{ role: "user", content: task }],
      }).catch((error: unknown) => Promise.reject(withoutSecrets(error)))
      return lastWords(messages)
    },
  })
  return agentFor
}

/**
 * Gives each tool a name that models accept. A tool whose name is already used gets the name of its server as a prefix.
 */
function withDistinctNames(tools: readonly Tool[]): readonly Tool[] {
  const usedNames = new Set<string>()
  return tools.map((tool) => {
    const plainName = toName(tool.name)
    const name = usedNames.has(plainName) ? toName(`${tool.server ?? "tool"}_${tool.name}`) : plainName
    usedNames.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}

const toName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64)

/**
 * Replaces the error of a model provider, which may contain a key or an address, before other models or people see it.
 */
const withoutSecrets = (error: unknown): unknown =>
  isHoldpointError(error) ? error : new Error(modelErrorWords(error), { cause: error })
