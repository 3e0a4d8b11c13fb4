// The transition function: (elicitation, event, now) → next or refusal. The only place that knows which step may follow
// which. No clock, no I/O; compare-and-set on `revision` keeps concurrent judgements valid.

import type { AgendaEvent } from "./agenda.ts"
import { toConfirmed } from "./confirmation.ts"
import { yesOrNoIn } from "./decision.ts"
import type { Elicitation, FormElicitation, Mode, OpenStatus, Reason, SettledStatus, Status } from "./elicitation.ts"
import { isSettled } from "./elicitation.ts"
import type { ErrorCode, Problem } from "./error.ts"
import type { Content } from "./form.ts"
import type { Principal, PrincipalId } from "./principal.ts"
import { isAddressed, isExcluded, isSamePerson, toPrincipalId } from "./principal.ts"
import type { Widen } from "./question.ts"
import { isRepeat, isSameActor, setsDeadline } from "./repeated-step.ts"
import { textProblem } from "./text.ts"
import { validate } from "./validate.ts"
import { countApprovals, withVote } from "./votes.ts"

/** `by` is the verified person who acts; where it may be absent, the asker or the system acts. */
export type ElicitationEvent =
  | { readonly type: "open"; readonly by?: Principal }
  /**
   * `expiresAt` replaces the question's deadline: a verified person has begun the flow behind its link, which has a
   * deadline of its own.
   */
  | {
      readonly type: "accept"
      readonly by: Principal
      readonly content?: unknown
      readonly via?: string
      readonly expiresAt?: number
      /** Why the person says No. Ignored with any other answer. */
      readonly reason?: Reason
      /** Whether the place of the answer showed the detail of the question. */
      readonly hasSeenDetail?: boolean
      /** The people whose earlier votes no longer count. Their votes are removed with this Yes. */
      readonly formerVoters?: readonly PrincipalId[]
    }
  | { readonly type: "decline"; readonly by: Principal; readonly via?: string; readonly reason?: Reason }
  | { readonly type: "cancel"; readonly by?: Principal; readonly via?: string; readonly reason?: Reason }
  /**
   * `isHandedOut`: the link was handed out in a way that no client can accept, so it may be completed while pending.
   */
  | { readonly type: "complete"; readonly isHandedOut?: true }
  | { readonly type: "fail"; readonly reason: Reason; readonly isHandedOut?: true }
  | { readonly type: "expire" }
  | { readonly type: "reject"; readonly reason: Reason }
  | { readonly type: "join" }
  /** Another ask widens the question, before a person has begun. */
  | { readonly type: "widen"; readonly widen: Widen }
  | { readonly type: "release" }
  | AgendaEvent

export type EventType = ElicitationEvent["type"]

/** Why nothing changed, and the current state: the loser of a race reads here how the question ended. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly status?: Status
  readonly ended?: QuestionEnd
  readonly problems?: readonly Problem[]
  /** For a No to a question that was already answered. */
  readonly effect?: AnswerEffect
}

/**
 * What had been done with the answer when the No arrived. `stopped`: no recorded effect, and the call stops. `unknown`:
 * the asker had the answer and does not report effects. `at`: since when.
 */
export interface AnswerEffect {
  readonly state: "stopped" | "begun" | "done" | "unknown"
  readonly at?: number
}

export interface QuestionEnd {
  readonly status: SettledStatus
  readonly at: number
  readonly by?: PrincipalId
  readonly reason?: Reason
}

export type Judgement =
  | { readonly ok: true; readonly changed: boolean; readonly next: Elicitation }
  | { readonly ok: false; readonly refusal: Refusal }

/** The next status for each mode, status and event. Combinations that are not listed are refused. */
export const transitions: Record<Mode, Record<OpenStatus, Partial<Record<EventType, Status>>>> = {
  form: {
    pending: {
      accept: "completed",
      decline: "declined",
      cancel: "cancelled",
      expire: "expired",
      reject: "unsupported",
      join: "pending",
      release: "pending",
      escalate: "pending",
      remind: "pending",
    },
    accepted: {},
  },
  url: {
    pending: {
      open: "pending",
      accept: "accepted",
      decline: "declined",
      cancel: "cancelled",
      expire: "expired",
      reject: "unsupported",
      join: "pending",
      widen: "pending",
      release: "pending",
      escalate: "pending",
      remind: "pending",
    },
    accepted: {
      open: "accepted",
      accept: "accepted",
      complete: "completed",
      fail: "failed",
      decline: "declined",
      cancel: "cancelled",
      expire: "expired",
      join: "accepted",
      widen: "accepted",
      release: "accepted",
    },
  },
}

export function transition(current: Elicitation, event: ElicitationEvent, now: number): Judgement {
  if ("by" in event && event.by !== undefined && !isAddressed(current, event.by)) {
    return refuse(current, "not_addressee", "This question is addressed to somebody else.")
  }
  if ("by" in event && event.by !== undefined && isExcluded(current, event.by)) {
    return refuse(current, "own_request", ownRequestWords)
  }
  const problems = reasonProblems(event)
  if (problems.length > 0) return refuse(current, "invalid_answer", "The reason cannot be stored as it is.", problems)
  if (isRepeat(current, event)) return { ok: true, changed: false, next: current }
  if (isSettled(current.status)) return refuse(current, "already_settled", endedWords(current.status))
  if (event.type === "expire") {
    return now < current.expiresAt
      ? refuse(current, "not_due", "The deadline has not passed yet.")
      : settle(current, "expired", now)
  }
  if (now >= current.expiresAt) return refuse(current, "expired", "The deadline for this question has passed.")
  const fromStatus = "isHandedOut" in event && current.mode === "url" ? "accepted" : (current.status as OpenStatus)
  const status = transitions[current.mode][fromStatus][event.type]
  if (status === undefined) return refuseStep(current, event)
  return advance(current, event, status, now)
}

function advance(current: Elicitation, event: ElicitationEvent, status: Status, now: number): Judgement {
  switch (event.type) {
    case "open":
      return open(current, event, now)
    case "accept":
      return accept(current, event, now)
    case "decline":
      return settle(current, status as SettledStatus, now, {
        ...answererOf(event),
        ...noVoteChanges(current, event, now),
      })
    case "cancel":
      return settle(current, status as SettledStatus, now, answererOf(event))
    case "fail":
    case "reject":
      return settle(current, status as SettledStatus, now, { reason: event.reason })
    case "complete":
    case "expire":
      return settle(current, status as SettledStatus, now)
    case "join":
      return change(current, { holders: current.holders + 1 })
    case "widen":
      return widen(current, event.widen)
    case "release":
      return release(current, now)
    case "escalate":
      return escalate(current)
    case "remind":
      return change(current, { reminders: event.number })
  }
}

const ownRequestWords = "This was asked on your behalf, so somebody else has to answer it."

const detailWords = (page: string): string =>
  `Only a part of this question was shown here. Read all of it, and answer it, on its page: ${page}`

function open(current: Elicitation, event: { readonly by?: Principal }, now: number): Judgement {
  const opened = current.openedAt === undefined ? { openedAt: now } : {}
  const verified = event.by !== undefined && current.verifiedAt === undefined ? { verifiedAt: now } : {}
  if (!("openedAt" in opened) && !("verifiedAt" in verified)) return { ok: true, changed: false, next: current }
  return change(current, { ...opened, ...verified })
}

function accept(current: Elicitation, event: Extract<ElicitationEvent, { type: "accept" }>, now: number): Judgement {
  if (current.mode === "form") {
    const isNo = yesOrNoIn(current.requestedSchema, event.content) === "no"
    if (current.detail !== undefined && event.hasSeenDetail !== true && !isNo)
      return refuse(current, "detail_unseen", detailWords(current.detail.page))
    const validation = validate(current.requestedSchema, toConfirmed(current.requestedSchema, event.content))
    if (!validation.ok)
      return refuse(current, "invalid_answer", "The answer does not fit the form.", validation.problems)
    const outcome = toOutcome(current, validation.content)
    const { reason, ...yesEvent } = event
    const answerer = answererOf(outcome.said === "no" ? event : yesEvent)
    return current.approvals === undefined
      ? settle(current, "completed", now, { ...answerer, ...outcome })
      : vote(current, { event, answerer, outcome }, now)
  }
  if (current.status === "accepted" && !(isSameActor(current, event.by) && setsDeadline(current, event))) {
    return refuse(current, "already_accepted", "Somebody has already agreed to open the link.")
  }
  if (event.content !== undefined) {
    const problem = {
      path: "",
      message: "A link is accepted without content: data is entered on the linked page only.",
    }
    return refuse(current, "invalid_answer", problem.message, [problem])
  }
  const deadline = event.expiresAt === undefined ? {} : { expiresAt: event.expiresAt }
  // A person who begins has seen what is asked, so from then on the question must not be widened.
  const stoppedGrowth = current.grows === true && event.expiresAt !== undefined ? { grows: false } : {}
  const acceptedAt = current.acceptedAt ?? clampToCreation(current, now)
  return change(current, { status: "accepted", acceptedAt, ...answererOf(event), ...deadline, ...stoppedGrowth })
}

/** The stored fields of an answer: its content, and for a yes-or-no question which of the two it is. */
function toOutcome({ requestedSchema }: FormElicitation, content: Content): Partial<FormElicitation> {
  const yesOrNo = yesOrNoIn(requestedSchema, content)
  return { content, ...(yesOrNo === undefined ? {} : { said: yesOrNo }) }
}

/** One of several votes: the last Yes that is needed completes the question, and the first No declines it. */
function vote(current: Elicitation, { event, answerer, outcome }: GivenVote, now: number): Judgement {
  if (outcome.said === "no")
    return settle(current, "declined", now, { ...answerer, ...noVoteChanges(current, event, now) })
  const { reason: _no, formerVoters = [], ...yesEvent } = event
  const currentVotes = (current.votes ?? []).filter(
    ({ by }) => !formerVoters.some((person) => isSamePerson(person, by)),
  )
  const votes = withVote({ votes: currentVotes }, yesEvent, "yes", clampToCreation(current, now))
  if (countApprovals({ votes }) < (current.approvals ?? 1)) return change(current, { votes })
  return settle(current, "completed", now, { ...answerer, ...outcome, votes })
}

interface GivenVote {
  readonly event: Extract<ElicitationEvent, { type: "accept" }>
  readonly answerer: Partial<Elicitation>
  readonly outcome: Partial<FormElicitation>
}

function noVoteChanges(
  current: Elicitation,
  event: Extract<ElicitationEvent, { type: "accept" | "decline" }>,
  now: number,
): Partial<Elicitation> {
  if (current.approvals === undefined) return {}
  return { said: "no", votes: withVote(current, event, "no", clampToCreation(current, now)) }
}

function escalate(current: Elicitation): Judgement {
  const role = current.escalate?.role
  return role === undefined ? refuseStep(current, { type: "escalate" }) : change(current, { escalatedTo: role })
}

function widen(current: Elicitation, widenQuestion: Widen): Judgement {
  const next = widenQuestion(current)
  if (next === undefined) return { ok: true, changed: false, next: current }
  if (current.grows === true) return change(current, next)
  return refuse(
    current,
    "already_accepted",
    "A person has begun to answer this question, so it can no longer be widened.",
  )
}

/** The last caller to give up ends the question, but never a consent that a person has begun. */
function release(current: Elicitation, now: number): Judgement {
  const remaining = Math.max(0, current.holders - 1)
  const hasBegun = current.status === "accepted" || current.openedAt !== undefined
  if (remaining > 0 || hasBegun) return change(current, { holders: remaining })
  return settle(current, "cancelled", now, {
    holders: 0,
    reason: { code: "asker_gone", message: "The asker is no longer waiting for the answer." },
  })
}

function settle(
  current: Elicitation,
  status: SettledStatus,
  now: number,
  changes: Partial<Elicitation> = {},
): Judgement {
  const allChanges = { ...changes, status, settledAt: clampToCreation(current, now) }
  // When the asker, the deadline or the provider ends a link, the person who agreed to open it did not answer.
  const { answeredBy: _by, answeredVia: _via, ...unanswered } = current
  const isPersonsAnswer = status === "completed" || changes.answeredBy !== undefined
  return change(isPersonsAnswer ? current : (unanswered as Elicitation), allChanges)
}

function change(current: Elicitation, changes: Partial<Elicitation>): Judgement {
  return { ok: true, changed: true, next: { ...current, ...changes, revision: current.revision + 1 } as Elicitation }
}

/** The time of a step, but never earlier than the question's creation: the clock may have been set back. */
const clampToCreation = (current: Elicitation, now: number): number => Math.max(now, current.createdAt)

function answererOf(event: {
  readonly by?: Principal
  readonly via?: string
  readonly reason?: Reason
}): Partial<Elicitation> {
  return {
    ...(event.by === undefined ? {} : { answeredBy: toPrincipalId(event.by) }),
    ...(event.via === undefined ? {} : { answeredVia: event.via }),
    ...(event.reason === undefined ? {} : { reason: event.reason }),
  }
}

/** Checks a reason, which is stored and shown to people. */
function reasonProblems(event: ElicitationEvent): readonly Problem[] {
  if (!("reason" in event) || event.reason === undefined) return []
  const { code, message } = event.reason
  const checks = [
    { path: "reason.code", message: textProblem(code, 100) },
    { path: "reason.message", message: message === undefined ? undefined : textProblem(message, 1_000) },
  ]
  return checks.flatMap(({ path, message: words }) => (words === undefined ? [] : [{ path, message: words }]))
}

function refuseStep(current: Elicitation, event: ElicitationEvent): Judgement {
  if (current.mode === "form")
    return refuse(current, "wrong_mode", `A form cannot be ${pastTense(event.type)}; it can only be answered.`)
  if (current.status === "accepted") {
    return refuse(current, "already_accepted", "Somebody has already agreed to open the link.")
  }
  return refuse(
    current,
    "not_accepted",
    `No person has agreed to open the link yet, so it cannot be ${pastTense(event.type)}.`,
  )
}

function refuse(current: Elicitation, code: ErrorCode, message: string, problems?: readonly Problem[]): Judgement {
  const isOutsider = code === "not_addressee"
  const ended = isOutsider ? undefined : endOf(current)
  return {
    ok: false,
    refusal: {
      code,
      message,
      // A person outside the audience learns nothing about the state.
      ...(isOutsider ? {} : { status: current.status }),
      ...(ended === undefined ? {} : { ended }),
      ...(problems === undefined ? {} : { problems }),
    },
  }
}

function endOf(current: Elicitation): QuestionEnd | undefined {
  if (!isSettled(current.status)) return undefined
  return {
    status: current.status,
    at: current.settledAt ?? current.createdAt,
    ...(current.answeredBy === undefined ? {} : { by: current.answeredBy }),
    ...(current.reason === undefined ? {} : { reason: current.reason }),
  }
}

function endedWords(status: SettledStatus): string {
  const words: Record<SettledStatus, string> = {
    completed: "The question was already answered.",
    declined: "The question was already declined.",
    cancelled: "The question was already cancelled.",
    expired: "The deadline of the question had already passed.",
    failed: "The question had already failed.",
    unsupported: "The question was closed because it could not be shown to anyone.",
  }
  return words[status]
}

function pastTense(type: EventType): string {
  const words: Partial<Record<EventType, string>> = {
    open: "opened",
    complete: "completed",
    fail: "failed",
    reject: "rejected",
    escalate: "escalated",
  }
  return words[type] ?? type
}
