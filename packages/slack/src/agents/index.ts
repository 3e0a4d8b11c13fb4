// @holdpoint/slack/agents, Slack for agents: the surface, and the thread in which a question of a run is asked.

export { slackChat } from "./surface.ts"
export { createThreadOf } from "./thread-of.ts"
