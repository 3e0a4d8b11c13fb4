// The agents of a server: models and tools for the section `agents` of a configuration, and the agents as a part or a
// mount, with their surfaces.

export type { Agents, AgentsOptions, BackgroundRun } from "./agents.ts"
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
export { agents } from "./part.ts"
export type { ScriptedStep, ScriptedTurn } from "./scripted-model.ts"
export { scriptedModel } from "./scripted-model.ts"
export { readAgents } from "./section.ts"
export type { AgentSurface } from "./surface.ts"
