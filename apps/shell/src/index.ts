// The public entry `@holdpoint/shell`: scripts as MCP tools.

export { createCatalogue } from "./catalogue/catalogue.ts"
export type { Inspection } from "./catalogue/inspect.ts"
export { inspectTools } from "./catalogue/inspect.ts"
export { schemaProblems } from "./catalogue/schemas.ts"
export type { ServerMeta } from "./catalogue/server-meta.ts"
export { serverMetaOf } from "./catalogue/server-meta.ts"
export type { ScriptEnd } from "./script-end.ts"
export type { ScriptLimits } from "./scripts.ts"
export type { ShellOptions, ShellServer } from "./server.ts"
export { createShellServer } from "./server.ts"
export type { Catalogue, ShellTool, ToolProblem } from "./tool.ts"
