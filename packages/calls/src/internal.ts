// @holdpoint/calls/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { askVerbs, defineAsk } from "./ask.ts"
export type { Asker, Prompting } from "./carrier.ts"
export type { ConnectionOptions } from "./connection.ts"
export { digestOf, personDigestOf } from "./digest.ts"
export { clean, crowdedNote, declinedNote, formWords, linkWords, nameOf, truncate } from "./foreign-words.ts"
export { defaultHoldMs } from "./holds.ts"
export type { AskedEntry } from "./journal.ts"
export { scopeWithin } from "./key.ts"
export { applyLateNo } from "./late-no.ts"
export { noteAsker } from "./note-asker.ts"
export type { JoinedQuestion, VisitedQuestion } from "./on-behalf.ts"
export {
  answeredSignal,
  askFormFor,
  askingOf,
  askUrlFor,
  canLeave,
  effectsOf,
  elicitationOf,
  givenUpSignal,
  idFor,
  isDone,
  isTooMany,
  isUnaskable,
  joinQuestion,
  leaveRun,
  onRunEnd,
  parentFor,
  undoEffect,
  visitScope,
  workFor,
} from "./on-behalf.ts"
export type { OnceOptions } from "./once.ts"
export type { OpenCall } from "./open-call.ts"
export { pause } from "./pause.ts"
export type { LongWait } from "./prompting.ts"
export {
  clientFailedReason,
  invalidAnswersReason,
  mostAttempts,
  notYetOutcome,
  openQuestion,
  outcomeOf,
  remember,
  waitHere,
  waitLong,
} from "./prompting.ts"
export type { QuestionOptions } from "./question.ts"
export type { Call } from "./records.ts"
export { callKind, entryKind, workerKind } from "./records.ts"
export type { Refusal } from "./refusal.ts"
export type { Reply } from "./reply.ts"
export { readReply } from "./reply.ts"
export type { Run, RunStart, Suspended } from "./run.ts"
export { callOf, createRun, suspendAt } from "./run.ts"
export type { Waiting } from "./waiting.ts"
