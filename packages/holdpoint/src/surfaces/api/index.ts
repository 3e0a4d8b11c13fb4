// The HTTP API: programs ask, and people's own answers come in. Mounted by http/api.ts.

export { postAnswer } from "./answer.ts"
export { getQuestion, postQuestion } from "./ask.ts"
export { createEventStreams, type EventStreams } from "./event-streams.ts"
export { toWireQuestion } from "./map.ts"
export { describeApi } from "./openapi/description.ts"
export type { Operation } from "./openapi/document.ts"
export { refTo, refusals, toOpenApi } from "./openapi/document.ts"
export { operations } from "./openapi/operations.ts"
export type { ApiParts, PersonRoute, ProgramRoute } from "./parts.ts"
export { toProblem } from "./problem.ts"
export { cancelQuestion, completeQuestion, followQuestion } from "./steps.ts"
export { createWaits } from "./waits.ts"
