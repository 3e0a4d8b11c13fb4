// holdpoint/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { createAcpApp } from "./acp/app.ts"
export { textPart } from "./agents/a2a/message.ts"
export type { AgentsOptions } from "./agents/agents.ts"
export type { OpenRuns } from "./agents/open-runs.ts"
export { openRuns } from "./agents/open-runs.ts"
export type { LogPart } from "./agents/records.ts"
export { logKind } from "./agents/records.ts"
export type { Chunk } from "./agents/run-log.ts"
export { createSealedText } from "./agents/sealed-records.ts"
export { createThreadOf } from "./agents/slack/thread-of.ts"
export type { Io } from "./io.ts"
export { main, run } from "./main.ts"
