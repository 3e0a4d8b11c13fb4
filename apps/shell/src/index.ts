// The public entry `@holdpoint/shell`: scripts as MCP tools.

export type { ScriptEnd } from "./script-end.ts"
export type { ScriptLimits } from "./scripts.ts"
export type { ShellOptions, ShellServer } from "./server.ts"
export { createShellServer } from "./server.ts"
export type { Catalogue, ShellTool, ToolProblem } from "./tool.ts"
