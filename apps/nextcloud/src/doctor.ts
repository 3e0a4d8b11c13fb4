// The entry point for examining a Nextcloud before anyone connects an account. It is separate, so that servers do not
// load this code.

export type { ConsentCheck, ConsentMethod, Examination } from "./examine.ts"
export { examine } from "./examine.ts"
export type { ToolsByApp } from "./tool-selection.ts"
export { offeredBy } from "./tool-selection.ts"
