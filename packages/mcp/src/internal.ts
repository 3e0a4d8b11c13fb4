// @holdpoint/mcp/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export type { ClientSession } from "./server/records.ts"
export { callUnderWayKind, clientSessionKind } from "./server/records.ts"
