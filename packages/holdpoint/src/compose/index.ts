// The public entry `@holdpoint/sdk/compose`: everything put together, to be served at one address.

export type { Mount } from "../ports/mount.ts"
export { createHoldpoint, createLazyHoldpoint } from "./holdpoint.ts"
export type { Holdpoint, LazyHoldpoint, Made, Site } from "./made.ts"
export type { AuthorizationSettings, HoldpointOptions, PageSettings, People } from "./options.ts"
