// The public entry `@holdpoint/calls`: for authors of carriers, which run functions that ask and pause. The
// smallest carrier is test/asking/plain/carrier.ts.

export { createTimeline } from "@holdpoint/hub/internal"
export type { Ask } from "./ask.ts"
export { createAsk } from "./ask.ts"
export type { Asking } from "./asking.ts"
export { createAsking } from "./asking.ts"
export type { Carrier } from "./carrier.ts"
export type { KeptCall, ProgramQuestion } from "./kept-call.ts"
export { askForProgram, keptCall } from "./kept-call.ts"
export { finishedScope, isBegunScope, resultOf } from "./on-behalf.ts"
export { callOfParent, parentOfCall } from "./parent.ts"
export { askAndSuspend } from "./prompting.ts"
export { isRefusal } from "./refusal.ts"
export { runCall } from "./run-call.ts"
export { wakeCalls } from "./wake.ts"
