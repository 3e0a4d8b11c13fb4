// The agents of the command, with all their surfaces and tools.

export type { A2aSurfaceOptions } from "@holdpoint/a2a/agents"
export { a2a, a2aResource } from "@holdpoint/a2a/agents"
export type {
  A2aAgentConfig,
  AgentConfig,
  AgentSurface,
  Agents,
  AgentsConfig,
  AgentsOptions,
  ApiKeyConfig,
  BackgroundRun,
  FunctionTool,
  KnownTool,
  McpServerConfig,
  ScriptedStep,
  ScriptedTurn,
  ToolPolicy,
} from "@holdpoint/agents"
export {
  agents,
  createAgents,
  mcpResource,
  openAiCompatible,
  readAgents,
  runResource,
  scriptedModel,
} from "@holdpoint/agents"
export { nextcloudTools } from "@holdpoint/nextcloud/agents"
export { slackChat } from "@holdpoint/slack/agents"
