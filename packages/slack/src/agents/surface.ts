// Slack as a surface of agents: people talk to them by mentions and direct messages.

import type { AgentSurface } from "@holdpoint/agents"
import type { SlackApp } from "../part.ts"
import { createSlackChat } from "./slack-chat.ts"

/** Lets the people of the Slack app talk to agents. `part` is Slack among the parts of the same server. */
export const slackChat = (part: { readonly app: Pick<SlackApp, "onMessage" | "workspaces"> }): AgentSurface => ({
  open({ site, config, asking, conversations, runs, readers, keptMs }) {
    const { storage, runtime, hub } = site
    const slack = part.app
    return createSlackChat({ slack, asking, storage, runtime, hub, config, conversations, runs, readers, keptMs })
  },
})
