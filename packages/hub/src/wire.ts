// The public entry `@holdpoint/hub/wire`: what the HTTP API and its clients send each other. Types alone, of `core` alone,
// so that programs for browsers can import it.

export type {
  NewQuestion,
  QuestionStep,
  WireApprovals,
  WireAudience,
  WireEnded,
  WirePerson,
  WireProblem,
  WireQuestion,
  WireVote,
} from "./core/api-bodies.ts"
export type { Status } from "./core/elicitation.ts"
export type { Content } from "./core/form.ts"
