// The public entry `@holdpoint/mcp/client`: tools of other MCP servers, whose questions reach the person.

export { limitFetch } from "./gate.ts"
export { inProcess } from "./in-process.ts"
export type { McpPeer } from "./peer.ts"
export { connectMcp } from "./peer.ts"
export type { ConnectOptions, ToolCall } from "./settings.ts"
