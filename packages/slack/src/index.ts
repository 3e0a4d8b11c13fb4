// @holdpoint/slack: questions that people answer in Slack, and messages of people to the app.

export type { SlackMessageEvent, SlackMessageListener } from "./events.ts"
export type { SlackLinks } from "./links.ts"
export type { SlackThread } from "./outlet.ts"
export type { SlackApp, SlackOptions, SlackPart } from "./part.ts"
export { slack } from "./part.ts"
export type { SlackLink } from "./records.ts"
export type { SlackUser } from "./wire.ts"
export type { Workspace, Workspaces } from "./workspaces.ts"
export { slackErrorOf } from "./workspaces.ts"
