// Examines a Nextcloud before anyone connects an account. An entry of its own, so that a server does not load it.

export type { Examination, Way, WayKind } from "./examine.ts"
export { examine } from "./examine.ts"
export type { ToolsByApp } from "./tool-selection.ts"
export { offeredBy } from "./tool-selection.ts"
