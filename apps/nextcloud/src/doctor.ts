// The public entry for looking at a Nextcloud before anybody connects. Apart from the rest: a server does not wait for it.

export type { Examination, Way, WayKind } from "./examine.ts"
export { examine } from "./examine.ts"
export type { ToolsByApp } from "./offered.ts"
export { offeredBy } from "./offered.ts"
