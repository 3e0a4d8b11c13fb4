// The public entry `@holdpoint/sdk/compose`: everything put together, to be served at one address.

export type { Mount } from "@holdpoint/hub/internal"
export { createHoldpoint, createLazyHoldpoint } from "./holdpoint.ts"
export type { AuthorizationSettings, HoldpointOptions, PageSettings, People } from "./options.ts"
export type { Holdpoint, HoldpointCore as Made, LazyHoldpoint, Site } from "./result.ts"
