// Composes the agents of a configuration: conversations, runs, their logs, and the surfaces by which people and
// programs reach them.

import type { Principal } from "@holdpoint/hub"
import { HoldpointError, paths } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { createTokens } from "@holdpoint/hub/sealing"
import type { Site } from "@holdpoint/server"
import { createEventStreams } from "@holdpoint/server/http"
import { createAgentsMcp, isMcpServed } from "./agents-mcp.ts"
import { recordRun } from "./begin-run.ts"
import type { AgentsConfig } from "./definition.ts"
import { readMessage } from "./http/body.ts"
import { createRunCallers, createRunResource } from "./http/callers.ts"
import { createRunMount } from "./http/mount.ts"
import { createOrigins } from "./http/origins.ts"
import { createPersonTokens } from "./http/person-tokens.ts"
import { openRuns } from "./open-runs.ts"
import type { AgentSurface } from "./surface.ts"

/** The agents of a server: a mount with the run API, and runs that begin without a client. */
export interface Agents extends Mount {
  /**
   * Begins a run in a person's name, for a schedule or a program that knows the person. The run uses the accounts that
   * the person has connected and asks in their inbox. Resolves with the id of the conversation when the run is stored.
   */
  begin(beginning: BackgroundRun): Promise<string>
}

/** A run that begins without a client: its person, its agent and its text. */
export interface BackgroundRun {
  readonly person: Principal
  readonly agent: string
  /** The message, as if the person had written it. */
  readonly text: string
  /** The person's conversation to continue. Default: a new one. */
  readonly conversation?: string
  /** How long the person has to answer a question. Default: a day. */
  readonly questionMs?: number
}

const day = 24 * 60 * 60_000

/** The options of `createAgents`. */
export interface AgentsOptions {
  /** How people and programs reach the agents besides the run API and MCP. */
  readonly surfaces?: readonly AgentSurface[] | undefined
}

/** Creates the agents of a configuration that `readAgents` has checked, to be mounted beside the pages. */
export function createAgents(site: Site, config: AgentsConfig, { surfaces = [] }: AgentsOptions = {}): Agents {
  const { storage, keys, runtime, report, hub, addresses, places } = site
  const openedRuns = openRuns(site, config, surfaces)
  const { asking, conversations, logs, runs, readers, agentFor, keptMs, questionMs } = openedRuns
  const origins = createOrigins(addresses.publicUrl, config.origins ?? [])
  const personTokens = createPersonTokens(createTokens(keys), runtime, config.apiKeys ?? [])
  const resource = createRunResource(site, config)
  const servedAgents = { site, config, asking, conversations, runs, readers, agentFor, origins, keptMs }
  const openSurfaces = surfaces.flatMap(({ open }) => open?.(servedAgents) ?? [])
  const api = createRunMount({
    ...{ config, hub, runs, logs, conversations, report },
    ...{ origins, personTokens, resource },
    callers: createRunCallers({ site, config, origins, personTokens, resource }),
    streams: createEventStreams(runtime),
    places,
    inbox: `${addresses.publicUrl}${paths.inbox}`,
    newId: () => runtime.newId(),
    trail: storage.trail,
    readers,
    async close() {
      await openedRuns.leaveRuns()
      for (const surface of openSurfaces) await surface.close?.()
      await openedRuns.close()
    },
  })
  const parts = { config, conversations, runs, logs, questionMs, agentFor, trail: asking.trail }
  const otherMounts = [
    ...(isMcpServed(site) ? [createAgentsMcp(site, parts)] : []),
    ...openSurfaces.flatMap(({ mount }) => mount ?? []),
  ]
  return {
    ...otherMounts.reduceRight(join, api),
    async begin({ person, agent, text, conversation: name = runtime.newId(), questionMs: givenMs = day }) {
      const message = await readMessage({ role: "user", parts: [{ type: "text", text }] })
      if (message instanceof Response)
        throw new HoldpointError("invalid_config", "The text of the run is empty. Pass a text.")
      const input = { person, isPerson: true, canAsk: true, questionMs: givenMs }
      const record = await recordRun({ conversations, runs }, { person, name, agent, ...message }, { input })
      if (!("run" in record))
        throw new HoldpointError(
          "already_settled",
          `The last reply in “${name}” is still in progress. Try again when it has ended.`,
        )
      return name
    },
  }
}

/** Joins two mounts into one. Paths that both handle go to `first`, which is also closed first. */
const join = (second: Mount, first: Mount): Mount => ({
  handles: (path) => first.handles(path) || second.handles(path),
  fetch: (request) => (first.handles(new URL(request.url).pathname) ? first : second).fetch(request),
  async close() {
    await first.close()
    await second.close()
  },
})
