// The public entry `@holdpoint/shell`: scripts as MCP tools.

export type { ScriptEnd } from "./script-end.ts"
export type { Catalogue, ShellTool, ToolProblem } from "./tool.ts"
