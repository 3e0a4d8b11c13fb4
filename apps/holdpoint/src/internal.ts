// holdpoint/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { createAcpApp } from "./acp/app.ts"
export type { Io } from "./io.ts"
export { main, run } from "./main.ts"
