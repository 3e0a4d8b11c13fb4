// The main entry of the library: the hub, the builders of forms, and the types of the hub's calls. Authors of stores
// also need `@holdpoint/hub/storage`, and programs that render forms `@holdpoint/hub/forms`.

export type { Addresses } from "./core/addresses.ts"
export { createAddresses, paths } from "./core/addresses.ts"
export type {
  AskingClient,
  Context,
  Elicitation,
  Outcome,
  Reason,
  Requester,
  Status,
} from "./core/elicitation.ts"
export { isSettled } from "./core/elicitation.ts"
export type { ErrorCode, Problem } from "./core/error.ts"
export { HoldpointError, isHoldpointError } from "./core/error.ts"
export type { Content, Form } from "./core/form.ts"
export {
  choice,
  choices,
  date,
  dateTime,
  email,
  form,
  integer,
  number,
  text,
  uri,
  yesNo,
} from "./core/form.ts"
export type { Limits } from "./core/limits.ts"
export { defaultLimits } from "./core/limits.ts"
export type { Audience, Principal, PrincipalId } from "./core/principal.ts"
export { canAnswer, isSamePerson } from "./core/principal.ts"
export type { Draft, FormSource } from "./core/question.ts"
export type { Refusal } from "./core/transition.ts"
export type { Vote } from "./core/votes.ts"
export type { Answer } from "./hub/answer.ts"
export type { Asked, AskOptions } from "./hub/ask.ts"
export type { RetentionTimes } from "./hub/housekeeping.ts"
export type { Hub, HubOptions } from "./hub/hub.ts"
export { createHub } from "./hub/hub.ts"
export { inbox } from "./hub/inbox.ts"
export { systemRuntime } from "./hub/runtime.ts"
export type { StepResult } from "./hub/steps.ts"
export type { WaitOptions } from "./hub/wait.ts"
export type { WatchEvent, WatchScope } from "./hub/watch.ts"
export type { Outlet } from "./ports/outlet.ts"
export type { Runtime } from "./ports/runtime.ts"
export type { Storage } from "./ports/storage.ts"
export type { ListQuery } from "./ports/store.ts"
export type { Entry, TrailQuery } from "./ports/trail.ts"
export { createMemoryStorage } from "./stores/memory.ts"
