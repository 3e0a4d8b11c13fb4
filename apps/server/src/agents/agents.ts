// The agents of a configuration, put together: conversations, runs, their logs, and the run API. Only composes.

import { paths } from "@holdpoint/sdk"
import { createAsking } from "@holdpoint/sdk/asking"
import type { Mount, Site } from "@holdpoint/sdk/compose"
import { createSealer } from "@holdpoint/sdk/sealing"
import { createConversations } from "./conversations.ts"
import type { AgentsConfig } from "./definition.ts"
import { createRunCallers } from "./http/callers.ts"
import { createEventStreams } from "./http/event-stream.ts"
import { createRunMount } from "./http/mount.ts"
import { createMcpTools } from "./mcp/mcp-tools.ts"
import { createRunLogs } from "./run-log.ts"
import { createRuns } from "./runs.ts"
import { createToolbox } from "./toolbox.ts"

const defaultKeptMs = 30 * 24 * 60 * 60_000
const defaultQuestionMs = 600_000

export function createAgents(site: Site, config: AgentsConfig): Mount {
  const { storage, keys, runtime, report, hub, addresses } = site
  const { conversationMs: keptMs = defaultKeptMs, questionMs = defaultQuestionMs } = config
  const sealer = createSealer(keys)
  const asking = createAsking({ ...site, sealer, lifetimeMs: questionMs })
  const kept = { storage, sealer, runtime, keptMs }
  const logs = createRunLogs(kept)
  const conversations = createConversations(kept)
  const mcpTools = createMcpTools(site, config)
  const agentFor = createToolbox(config, mcpTools)
  const runs = createRuns({ asking, conversations, logs, questionMs, agentFor })
  const { followers } = asking
  return createRunMount({
    ...{ config, hub, runs, logs, conversations, report },
    callers: createRunCallers(site, config),
    streams: createEventStreams(runtime),
    inbox: `${addresses.publicUrl}${paths.inbox}`,
    newId: () => runtime.newId(),
    readers: { logs, conversations, runtime, followers, isHere: runs.isHere },
    async close() {
      await runs.close()
      await mcpTools.close()
      await asking.close()
    },
  })
}
