// The library's front door: the hub, what it is made of, and the words to write questions with.

export type { JsonSchema, StandardJsonSchema } from "./core/compile.ts"
export { compile } from "./core/compile.ts"
export type { Abilities, Degraded, Revision } from "./core/degrade.ts"
export { degrade } from "./core/degrade.ts"
export type {
  AskingClient,
  Context,
  Elicitation,
  FormElicitation,
  KeyReuse,
  Mode,
  Outcome,
  Reason,
  Requester,
  SettledStatus,
  Status,
  Trigger,
  UrlElicitation,
} from "./core/elicitation.ts"
export { isSettled, toOutcome } from "./core/elicitation.ts"
export type { CodeMeaning, ErrorCode, Problem } from "./core/error.ts"
export { errorCodes, HoldpointError, isHoldpointError } from "./core/error.ts"
export type { Content, ContentOf, Field, Form, Kind, Option } from "./core/form.ts"
export {
  choice,
  choices,
  date,
  dateTime,
  email,
  form,
  integer,
  kindOf,
  number,
  optionsOf,
  text,
  uri,
  withDefaults,
  yesNo,
} from "./core/form.ts"
export type { Limits } from "./core/limits.ts"
export { defaultLifetimeMs, defaultLimits } from "./core/limits.ts"
export { nearest } from "./core/nearest.ts"
export type { Audience, Principal, PrincipalId } from "./core/principal.ts"
export { canAnswer, isSamePerson } from "./core/principal.ts"
export type { Draft, FormSource } from "./core/question.ts"
export { findSecrets } from "./core/secret.ts"
export type { ElicitationEvent, Ended, Judgement, Refusal } from "./core/transition.ts"
export { transition, transitions } from "./core/transition.ts"
export { checkUrl, displayHost } from "./core/url.ts"
export type { Validation } from "./core/validate.ts"
export { validate } from "./core/validate.ts"
export type { Answer } from "./hub/answer.ts"
export type { Asked, AskOptions } from "./hub/ask.ts"
export type { RetentionTimes } from "./hub/housekeeping.ts"
export { defaultRetention } from "./hub/housekeeping.ts"
export type { Hub, HubOptions, Swept } from "./hub/hub.ts"
export { createHub } from "./hub/hub.ts"
export { inbox } from "./hub/inbox.ts"
export { systemRuntime } from "./hub/runtime.ts"
export type { StepResult } from "./hub/steps.ts"
export type { WaitOptions } from "./hub/wait.ts"
export type { WatchEvent, WatchScope } from "./hub/watch.ts"
export type { Delivery, Outlet } from "./ports/outlet.ts"
export type { KeptRecord, RecordKind, RecordQuery, Records } from "./ports/records.ts"
export type { Cutoffs, Forgotten, Retention } from "./ports/retention.ts"
export type { Runtime } from "./ports/runtime.ts"
export type { Storage } from "./ports/storage.ts"
export type { Due, Inserted, ListQuery, PendingLimits, Store } from "./ports/store.ts"
export type { AskedQuestion, Entry, EntryDetail, EntryKind, NewEntry, Trail, TrailQuery } from "./ports/trail.ts"
export { createMemoryStorage } from "./stores/memory.ts"
