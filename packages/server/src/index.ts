// The public entry `@holdpoint/server`: everything put together, to be served at one address.

export type { Mount } from "@holdpoint/hub/internal"
export { createHoldpoint, createLazyHoldpoint } from "./compose/holdpoint.ts"
export type { AuthorizationSettings, HoldpointOptions, PageSettings, People } from "./compose/options.ts"
export type { Holdpoint, HoldpointCore as Made, LazyHoldpoint, Site } from "./compose/result.ts"
