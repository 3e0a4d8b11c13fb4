// The public entry `@holdpoint/mcp`: MCP servers whose tools can ask.

export type { OnceOptions, Refusal } from "@holdpoint/calls/internal"

export type { Ask, ConnectionOptions, QuestionOptions } from "./ask.ts"
export type { CallerNow } from "./caller-now.ts"
export { callerNow } from "./caller-now.ts"
export type { Client, ClientOverride, Modes, UrlWay } from "./client.ts"
export type { Mcp } from "./create.ts"
export { createMcp } from "./create.ts"
export { holdable } from "./holdable.ts"
export type { ProgressAmount } from "./progress.ts"
export type { Callers, McpOptions } from "./settings.ts"
export type { McpStdio } from "./stdio.ts"
