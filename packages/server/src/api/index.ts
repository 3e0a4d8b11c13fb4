// The HTTP API: programs ask questions, and people send their own answers. Mounted by http/api.ts.

export { postAnswer } from "./answer.ts"
export { getQuestion, postQuestion } from "./ask.ts"
export { createEventStreams, type EventStreams } from "./event-streams.ts"
export { createSameForm } from "./forms.ts"
export { toWireQuestion } from "./map.ts"
export { describeApi } from "./openapi/description.ts"
export type { Operation } from "./openapi/document.ts"
export { refTo, refusals, toOpenApi } from "./openapi/document.ts"
export { operations } from "./openapi/operations.ts"
export type { ApiParts, PersonRoute, ProgramRoute } from "./parts.ts"
export { toProblem } from "./problem.ts"
export type { ProgramLimits } from "./program-limits.ts"
export { createProgramLimits } from "./program-limits.ts"
export { cancelQuestion, completeQuestion, followQuestion } from "./steps.ts"
export {
  createStreamPlaces,
  mostStreams,
  type StreamOwner,
  type StreamPlace,
  type StreamPlaces,
} from "./stream-places.ts"
export { createWaits } from "./waits.ts"
