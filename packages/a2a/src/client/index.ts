// The public entry `@holdpoint/a2a/client`: tasks for A2A agents, whose questions reach the person.

export type { A2aReply } from "./call.ts"
export type { OpenTask } from "./open-tasks.ts"
export { openTasks } from "./open-tasks.ts"
export type { A2aPart } from "./parts.ts"
export type { A2aPeer } from "./peer.ts"
export { connectA2a } from "./peer.ts"
export type { A2aCall, A2aLimits, ConnectA2aOptions } from "./settings.ts"
