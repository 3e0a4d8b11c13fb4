// The public entry `@holdpoint/sdk/ai-sdk`: agents of a Holdpoint as language models of the AI SDK (specification v4). Of
// the AI SDK it needs the types alone.

export type { AgentModelOptions, ElicitationMetadata, HoldpointProvider } from "./model.ts"
export { holdpoint } from "./model.ts"
