// The agents of a configuration, put together: conversations, runs, their logs, and the run API. Only composes.

import type { Principal } from "@holdpoint/sdk"
import { HoldpointError, paths } from "@holdpoint/sdk"
import { createAsking } from "@holdpoint/sdk/asking"
import type { HoldpointOptions, Mount, Site } from "@holdpoint/sdk/compose"
import { createEventStreams } from "@holdpoint/sdk/http"
import { createSealer, createTokens } from "@holdpoint/sdk/sealing"
import { createPoster } from "@holdpoint/sdk/webhooks"
import { createA2a } from "./a2a/a2a.ts"
import { readCardKey } from "./a2a/card-key.ts"
import { createLegacyRpcBinding } from "./a2a/legacy/rpc-binding.ts"
import { createPush } from "./a2a/push/push.ts"
import { a2aPushKind } from "./a2a/push/records.ts"
import { createRestBinding } from "./a2a/rest/binding.ts"
import { createAgentsMcp, isMcpServed } from "./agents-mcp.ts"
import { createConversations } from "./conversations.ts"
import type { AgentsConfig } from "./definition.ts"
import { readMessage } from "./http/body.ts"
import { createRunCallers, createRunResource } from "./http/callers.ts"
import { createRunMount } from "./http/mount.ts"
import { createOrigins } from "./http/origins.ts"
import { createPersonTokens } from "./http/person-tokens.ts"
import { createMcpTools } from "./mcp/mcp-tools.ts"
import { createRunLimit } from "./run-limit.ts"
import { createRunLogs } from "./run-log.ts"
import { createRuns } from "./runs.ts"
import type { SlackApp } from "./slack/port.ts"
import { createSlackTalk } from "./slack/talk.ts"
import { createToolbox } from "./toolbox.ts"

const defaultKeptMs = 30 * 24 * 60 * 60_000
const defaultQuestionMs = 600_000
const defaultRunsPerPerson = 20

/** The agents of a server: the run API as a mount, and runs that begin without a client. */
export interface Agents extends Mount {
  /**
   * Begins a run in a person's name, for a schedule or a program that knows the person. It uses the accounts they have
   * connected and asks in their inbox. Resolves when it is stored, with the id of the conversation.
   */
  begin(beginning: BackgroundRun): Promise<string>
}

/** A run that begins without a client: for whom, with which agent, and with what text. */
export interface BackgroundRun {
  readonly person: Principal
  readonly agent: string
  /** What the agent is told, as if the person had written it. */
  readonly text: string
  /** Continues this conversation of the person. Default: a new one. */
  readonly conversation?: string
  /** How long the person has to answer a question. Default: a day. */
  readonly questionMs?: number
}

const day = 24 * 60 * 60_000

/** What agents are reached by besides the run API. */
export interface AgentsOptions {
  /** Slack, whose people talk to the agents by mentions and direct messages. */
  readonly slack?: SlackApp | undefined
  /** Addresses that notifications over A2A may be sent to besides public ones. */
  readonly webhooks?: HoldpointOptions["webhooks"]
}

/** Makes the agents of a configuration, which `readAgents` has checked, to be mounted beside the pages. */
export function createAgents(site: Site, config: AgentsConfig, { slack, webhooks }: AgentsOptions = {}): Agents {
  const { storage, keys, runtime, report, hub, addresses } = site
  const { conversationMs: keptMs = defaultKeptMs, questionMs = defaultQuestionMs } = config
  const sealer = createSealer(keys)
  const asking = createAsking({ ...site, sealer, lifetimeMs: questionMs })
  const kept = { storage, sealer, runtime, keptMs }
  const logs = createRunLogs(kept)
  const conversations = createConversations(kept)
  const mcpTools = createMcpTools(site, config)
  const agentFor = createToolbox(config, mcpTools)
  const titleOf = (agent: string): string => config.agents[agent]?.title ?? agent
  const limit = createRunLimit(config.limits?.runsPerPerson ?? defaultRunsPerPerson)
  const runs = createRuns({ asking, conversations, logs, questionMs, limit, agentFor, titleOf })
  const { followers } = asking
  const origins = createOrigins(addresses.publicUrl, config.origins ?? [])
  const personTokens = createPersonTokens(createTokens(keys), runtime, config.apiKeys ?? [])
  const resource = createRunResource(site, config)
  const readers = { logs, conversations, runtime, followers, isHere: runs.isHere }
  const talk =
    slack === undefined
      ? undefined
      : createSlackTalk({ slack, asking, storage, runtime, hub, config, conversations, runs, readers, keptMs })
  const api = createRunMount({
    ...{ config, hub, runs, logs, conversations, report },
    ...{ origins, personTokens, resource },
    callers: createRunCallers({ site, config, origins, personTokens, resource }),
    streams: createEventStreams(runtime),
    inbox: `${addresses.publicUrl}${paths.inbox}`,
    newId: () => runtime.newId(),
    trail: storage.trail,
    readers,
    async close() {
      await runs.close()
      await talk?.close()
      await mcpTools.close()
      await asking.close()
    },
  })
  const parts = { config, conversations, runs, logs, questionMs, agentFor, trail: asking.trail }
  const a2a = createA2a(site, {
    ...{ config, hub, runs, conversations, readers, origins },
    questionMs: config.questionMs ?? day,
    bindings: [createLegacyRpcBinding({ report }), createRestBinding({ report })],
    push: (source) =>
      createPush({
        ...{ records: storage.records(a2aPushKind), sealer, runtime, source, report },
        poster: createPoster(webhooks),
      }),
    ...(config.cardKey === undefined ? {} : { sign: readCardKey(config.cardKey) }),
  })
  const besides = [...(isMcpServed(site) ? [createAgentsMcp(site, parts)] : []), ...(a2a === undefined ? [] : [a2a])]
  return {
    ...besides.reduceRight(join, api),
    async begin({ person, agent, text, conversation: name = runtime.newId(), questionMs: givenMs = day }) {
      const message = await readMessage({ role: "user", parts: [{ type: "text", text }] })
      if (message instanceof Response) throw new HoldpointError("invalid_config", "A run begins with a text.")
      const run = await conversations.begin({ person, name, agent, ...message })
      if (run === undefined)
        throw new HoldpointError("already_settled", `The last reply in “${name}” is still under way. Begin later.`)
      await runs.start(run, { person, isPerson: true, canAsk: true, questionMs: givenMs })
      return name
    },
  }
}

/** Two mounts as one. The second is asked first, and closed first. */
const join = (second: Mount, first: Mount): Mount => ({
  handles: (path) => first.handles(path) || second.handles(path),
  fetch: (request) => (first.handles(new URL(request.url).pathname) ? first : second).fetch(request),
  async close() {
    await first.close()
    await second.close()
  },
})
