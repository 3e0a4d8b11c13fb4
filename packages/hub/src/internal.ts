// @holdpoint/hub/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { aliases, localHome, pathTo, signInTo } from "./core/addresses.ts"
export { hasMoreBytes } from "./core/characters.ts"
export { isYes } from "./core/confirmation.ts"
export type {
  Account,
  Connection,
  ConnectionEvent,
  ConnectionJudgement,
  ConnectionStatus,
  Grant,
  Lease,
  Owner,
} from "./core/connection.ts"
export {
  coversScopes,
  isSameOwner,
  ownerKey,
  toLabel,
  toOwner,
  transitionConnection,
  unionScopes,
} from "./core/connection.ts"
export { decisionOf, wordsOf, yesOrNoIn } from "./core/decision.ts"
export { deliveryDelays } from "./core/delivery.ts"
export { isTooDeep, mostLevels, tooDeepWords } from "./core/depth.ts"
export { nameFrom, readPath, valueAt } from "./core/dotted-path.ts"
export type { Due } from "./core/due.ts"
export { attemptMs, doubling, isHeld, leaseMs } from "./core/due.ts"
export type { FormElicitation, SettledStatus, Trigger, UrlElicitation } from "./core/elicitation.ts"
export { errorCodes, invalidConfig, isStoreFailure } from "./core/error.ts"
export type { NumberField, TextField } from "./core/form.ts"
export { formLimits } from "./core/form.ts"
export { elicitationIdKey, elicitationUntilKey } from "./core/in-process.ts"
export type { Json } from "./core/json.ts"
export { isObject } from "./core/json.ts"
export { exceededBy } from "./core/json-shape.ts"
export type { OwnLadder, Rung, RungDelay } from "./core/ladder.ts"
export { delayOf, timeOfRung } from "./core/ladder.ts"
export { defaultLifetimeMs } from "./core/limits.ts"
export { unknownName } from "./core/nearest.ts"
export { loadPeer } from "./core/peer.ts"
export { addresseeKeysOf, isAddressed, isExcluded, tenantOf, toPrincipalId } from "./core/principal.ts"
export type { AskRule } from "./core/program.ts"
export { allModes, askProblems, programProblems, requesterIdOf } from "./core/program.ts"
export type {
  ApiCall,
  ApiKeyProvider,
  BasicProvider,
  ClientAuthentication,
  DisabledProbe,
  Endpoints,
  Identity,
  IdentityByCall,
  LoginFlowProvider,
  McpServerProvider,
  OAuthClient,
  OAuthProvider,
  OAuthQuirks,
  OwnAccountRule,
  Probe,
  Provider,
  Providers,
  RevocationMeans,
} from "./core/provider.ts"
export { hasOwnScopes, scopeWords } from "./core/provider.ts"
export type { DraftDetail, FormDraft, Widen } from "./core/question.ts"
export { compileOnce, toElicitation, toSafeUrl } from "./core/question.ts"
export type { QuietHours } from "./core/quiet-hours.ts"
export { quietHoursProblems } from "./core/quiet-hours.ts"
export { sealBindingOf, sealBindings } from "./core/seal-bindings.ts"
export type { SealBinding, Sealed } from "./core/sealed.ts"
export type { Heartbeat } from "./core/server-sent-events.ts"
export {
  createHeartbeat,
  encodeEvents,
  eventStreamHeaders,
  keepOpen,
  keepReadOpen,
  toEventComment,
  toEventLine,
} from "./core/server-sent-events.ts"
export { nameProblem, textProblem } from "./core/text.ts"
export type { TimelineStep } from "./core/timeline.ts"
export { toTrace } from "./core/trace.ts"
export type { AnswerEffect, QuestionEnd } from "./core/transition.ts"
export { withoutEnd, withoutStart } from "./core/trim.ts"
export { joiner, toUnlinked } from "./core/unlinked.ts"
export type { UrlFlag } from "./core/url.ts"
export { checkUrl, isLoopback } from "./core/url.ts"
export type { VisitAsked } from "./core/visit.ts"
export { visitDraft, visitedAddress } from "./core/visit.ts"
export type { Attempt, LeaseOptions } from "./due/attempts.ts"
export { change, changeOrInsert } from "./due/change.ts"
export type { DueKind } from "./due/due-kind.ts"
export type { DueWork } from "./due/due-work.ts"
export { createDueWork } from "./due/due-work.ts"
export { createQueue } from "./due/queue.ts"
export { mostFailures, untilStored, waitAfter } from "./due/store-retry.ts"
export { createTimer } from "./due/timer.ts"
export type { Report, Work } from "./due/work.ts"
export { createWork } from "./due/work.ts"
export { postedName } from "./forms/content.ts"
export { hintOf } from "./forms/hint.ts"
export { englishTexts } from "./forms/texts.ts"
export { agendaKind } from "./hub/agenda.ts"
export { fromCompletionToken, toCompletionToken } from "./hub/completion.ts"
export { deliveryKind } from "./hub/deliveries/delivery-records.ts"
export type { AfterAnswer, AskerState, EffectStep } from "./hub/effects.ts"
export { askerEntry, effectEntry, findNo, isLateNo, readAfterAnswer, readTrail, wokenParents } from "./hub/effects.ts"
export { lifeOf, thisProcess } from "./hub/process-id.ts"
export { createTimeline } from "./hub/timeline.ts"
export { outletEntry } from "./hub/trail-entries.ts"
export { warn } from "./hub/warn.ts"
export type { AccountCredentials, Accounts, ConnectionHandle, FindOptions, Need } from "./ports/accounts.ts"
export type { Caller, LocalCaller, ResourceServer } from "./ports/callers.ts"
export type { Fetch } from "./ports/fetch.ts"
export type { Ladder } from "./ports/ladder.ts"
export type { Members } from "./ports/members.ts"
export type { Mount } from "./ports/mount.ts"
export type { Observer } from "./ports/observer.ts"
export type { AnyOutlet } from "./ports/outlet.ts"
export type { ProcessId } from "./ports/process.ts"
export type { Questions } from "./ports/questions.ts"
export type { ConnectionFacts, EntryKind } from "./ports/trail.ts"
export { hashOf, isHashOf, isSameText, newToken } from "./sealing/hash.ts"
export { createPrivateFile, readPrivateFile } from "./sealing/private-file.ts"
export type { DataKey } from "./sealing/records.ts"
export { dataKeyKind } from "./sealing/records.ts"
export { toShortCode } from "./sealing/short-code.ts"
export { secretRule } from "./secrets/rule.ts"
