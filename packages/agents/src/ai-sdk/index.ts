// The public entry `@holdpoint/agents/ai-sdk`: agents of a Holdpoint server as language models of the AI SDK
// (specification v4). It imports only types of the AI SDK.

export type { AgentModelOptions, ElicitationMetadata, HoldpointProvider } from "./model.ts"
export { holdpoint } from "./model.ts"
