// The public entry `@holdpoint/agents`: models and tools for the section `agents` of a configuration, and the agents as
// a mount for programs that compose a Holdpoint themselves.

export { a2aResource } from "@holdpoint/a2a/internal"
export type { Agents, BackgroundRun } from "./agents.ts"
export { createAgents } from "./agents.ts"
export { mcpResource } from "./agents-mcp.ts"
export type {
  A2aAgentConfig,
  AgentConfig,
  AgentsConfig,
  ApiKeyConfig,
  FunctionTool,
  KnownTool,
  McpServerConfig,
  ToolPolicy,
} from "./definition.ts"
export { runResource } from "./http/callers.ts"

export { openAiCompatible } from "./open-ai-compatible.ts"
export type { ScriptedStep, ScriptedTurn } from "./scripted-model.ts"
export { scriptedModel } from "./scripted-model.ts"
export { readAgents } from "./section.ts"
