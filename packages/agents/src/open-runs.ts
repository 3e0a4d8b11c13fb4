// Composes the parts of runs: conversations, logs, tools and readers of replies. Every surface of the agents uses them.

import type { Asking } from "@holdpoint/calls"
import { createAsking } from "@holdpoint/calls"
import { createSealer } from "@holdpoint/hub/sealing"
import type { Site } from "@holdpoint/server"
import type { Agent } from "./agent.ts"
import { type Conversations, createConversations } from "./conversations.ts"
import type { AgentsConfig } from "./definition.ts"
import type { ReaderParts } from "./http/reader.ts"
import { createMcpTools } from "./mcp/mcp-tools.ts"
import { createRunLimit } from "./run-limit.ts"
import { createRunLogs, type RunLogs } from "./run-log.ts"
import { createRuns, type RunningRun, type Runs } from "./runs.ts"
import { type AgentSurface, openRemoteTools } from "./surface.ts"
import { createToolbox } from "./toolbox.ts"

const defaultKeptMs = 30 * 24 * 60 * 60_000
const defaultQuestionMs = 600_000
const defaultRunsPerPerson = 20

/** The runs, and the parts with which a surface begins runs and shows their replies. */
export interface OpenRuns {
  readonly asking: Asking
  readonly conversations: Conversations
  readonly logs: RunLogs
  readonly runs: Runs
  readonly readers: ReaderParts
  readonly agentFor: (name: string, run: RunningRun) => Agent
  /** How long a message and its reply are stored. */
  readonly keptMs: number
  /** How long a person has to answer a question. */
  readonly questionMs: number
  /**
   * Ends the work on runs in this process. On shutdown, call this first, then close the readers of replies, and call
   * `close` last.
   */
  leaveRuns(): Promise<void>
  close(): Promise<void>
}

export function openRuns(site: Site, config: AgentsConfig, surfaces: readonly AgentSurface[] = []): OpenRuns {
  const { storage, keys, runtime } = site
  const { conversationMs: keptMs = defaultKeptMs, questionMs = defaultQuestionMs } = config
  const sealer = createSealer(keys)
  const asking = createAsking({ ...site, sealer, lifetimeMs: questionMs })
  const recordParts = { storage, sealer, runtime, keptMs }
  const logs = createRunLogs(recordParts)
  const conversations = createConversations(recordParts)
  const mcpTools = createMcpTools(site, config)
  const remoteTools = openRemoteTools(surfaces, site, config)
  const agentFor = createToolbox(config, mcpTools, remoteTools, site.report)
  const titleOf = (agent: string): string => config.agents[agent]?.title ?? agent
  const limit = createRunLimit(config.limits?.runsPerPerson ?? defaultRunsPerPerson)
  const names = { agentFor, titleOf }
  const runs = createRuns({
    asking,
    conversations,
    logs,
    questionMs,
    limit,
    ...names,
    cancelRemoteTasks: remoteTools.stop,
  })
  const readers = { logs, conversations, runtime, followers: asking.followers, isHere: runs.isHere }
  return {
    ...{ asking, conversations, logs, runs, readers, agentFor, keptMs, questionMs },
    leaveRuns() {
      remoteTools.close()
      return runs.close()
    },
    async close() {
      await mcpTools.close()
      await asking.close()
    },
  }
}
