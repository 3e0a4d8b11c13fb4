// @holdpoint/a2a/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { createA2a } from "./agents/a2a.ts"
export { a2aResource } from "./agents/callers.ts"
export { readCardKey } from "./agents/card-key.ts"
export type { A2aTools } from "./agents/client/a2a-tools.ts"
export { createA2aTools } from "./agents/client/a2a-tools.ts"
export { createLegacyRpcBinding } from "./agents/legacy/rpc-binding.ts"
export { textPart } from "./agents/message.ts"
export { createPush } from "./agents/push/push.ts"
export { a2aPushKind } from "./agents/push/records.ts"
export { createRestBinding } from "./agents/rest/binding.ts"
