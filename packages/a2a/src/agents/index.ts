// @holdpoint/a2a/agents, A2A for agents: the surface, and the resource for which people's tokens are issued.

export { a2aResource } from "./callers.ts"
export type { A2aSurfaceOptions } from "./surface.ts"
export { a2a } from "./surface.ts"
