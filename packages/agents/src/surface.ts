// The port of a surface of agents: a protocol by which people or programs reach the agents, or by which the agents reach
// agents of other parties. It knows runs; the agents know none by name.

import type { Ask, Asking } from "@holdpoint/calls"
import type { Mount } from "@holdpoint/hub/internal"
import type { Site } from "@holdpoint/server"
import type { Agent } from "./agent.ts"
import type { Conversations } from "./conversations.ts"
import type { AgentsConfig } from "./definition.ts"
import type { Origins } from "./http/origins.ts"
import type { ReaderParts } from "./http/reader.ts"
import type { RunningRun, Runs } from "./runs.ts"
import type { AvailableTool } from "./tool.ts"

/** A surface of agents. */
export interface AgentSurface {
  /** Offers agents of other parties as tools. Called once, before any run. */
  readonly openTools?: ((site: Site, config: AgentsConfig) => RemoteTools) | undefined
  /** Lets people or programs reach the agents. Undefined when this server cannot serve the surface. */
  readonly open?: ((agents: ServedAgents) => OpenAgentSurface | undefined) | undefined
}

/** The agents, as a surface uses them. */
export interface ServedAgents {
  readonly site: Site
  readonly config: AgentsConfig
  readonly asking: Asking
  readonly conversations: Conversations
  readonly runs: Runs
  readonly readers: ReaderParts
  readonly agentFor: (name: string, run: RunningRun) => Agent
  readonly origins: Origins
  /** How long a message and its reply are stored. */
  readonly keptMs: number
}

export interface OpenAgentSurface {
  readonly mount?: Mount | undefined
  /** Called when no run of this process works any more. */
  readonly close?: (() => Promise<void>) | undefined
}

/** Agents of other parties as tools of a run. */
export interface RemoteTools {
  /** The tool that gives tasks to the agent in this run. Empty for an agent that is not configured. */
  toolsOf(name: string, run: RunningRun): Promise<readonly AvailableTool[]>
  /** Cancels the remote tasks of a run that is stopped while it waits. */
  stop(ask: Ask, run: RunningRun): Promise<void>
  /** Stops following tasks, so that other processes continue their runs. Called before waiting for runs to end. */
  close(): void
}

/** The remote agents of all surfaces. */
export function openRemoteTools(surfaces: readonly AgentSurface[], site: Site, config: AgentsConfig): RemoteTools {
  const all = surfaces.flatMap(({ openTools }) => openTools?.(site, config) ?? [])
  return {
    toolsOf: async (name, run) => (await Promise.all(all.map((tools) => tools.toolsOf(name, run)))).flat(),
    async stop(ask, run) {
      await Promise.all(all.map((tools) => tools.stop(ask, run)))
    },
    close() {
      for (const tools of all) tools.close()
    },
  }
}
