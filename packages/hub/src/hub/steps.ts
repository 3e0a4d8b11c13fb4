// One step of one elicitation: load → judge → compare-and-set → notify. The loser of a race judges the winner's
// version.

import { isNo } from "../core/confirmation.ts"
import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { ElicitationEvent, Refusal } from "../core/transition.ts"
import { transition } from "../core/transition.ts"
import { isCurrent } from "../core/votes.ts"
import type { Members } from "../ports/members.ts"
import type { Observer, RefusedStep } from "../ports/observer.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Store } from "../ports/store.ts"
import type { Trail } from "../ports/trail.ts"
import { answerEffectOf, isHandedOut, lateNoWords, readTrail } from "./effects.ts"
import type { OnChange } from "./follow.ts"
import type { LiveTable } from "./live-questions.ts"
import { refusedEntry, stepEntry } from "./trail-entries.ts"

/** The result of a step. `changed` is false when the same actor repeats an earlier step. */
export type StepResult =
  | { readonly ok: true; readonly changed: boolean; readonly elicitation: Elicitation }
  | { readonly ok: false; readonly refusal: Refusal }

export type Step = (id: string, event: ElicitationEvent) => Promise<StepResult>

export interface StepNeeds {
  readonly store: Pick<Store, "get" | "replace">
  readonly trail: Pick<Trail, "append" | "read">
  readonly members: Members
  readonly runtime: Pick<Runtime, "now">
  readonly live: LiveTable
  readonly onChange: OnChange
  readonly observer: Pick<Observer, "settled" | "refused">
}

export function createStep(needs: StepNeeds): Step {
  const { store, runtime, live, onChange, observer } = needs
  const step: Step = async (id, event) => {
    const cached = live.get(id)?.record
    let isFresh = cached === undefined
    let current = cached ?? (await store.get(id))
    for (;;) {
      if (current === undefined) return refuseUnknown(needs, id, event)
      const judgedEvent = countsVotes(current, event) ? await withFormerVoters(needs, current, event) : event
      const now = runtime.now()
      const judgement = transition(current, judgedEvent, now)
      if (judgement.ok) {
        if (!judgement.changed && isFresh) {
          onChange(current)
          return { ok: true, changed: false, elicitation: current }
        }
        if (judgement.changed && (await store.replace(judgement.next, stepEntry(judgement.next, event, now)))) {
          onChange(judgement.next)
          if (isSettled(judgement.next.status)) observer.settled(judgement.next)
          return { ok: true, changed: true, elicitation: judgement.next }
        }
      } else if (isFresh) {
        const { refusal } = judgement
        const withoutAcceptance =
          refusal.code === "not_accepted" ? await stepWithoutAcceptance(needs, step, { id, event }) : undefined
        if (withoutAcceptance !== undefined) return withoutAcceptance
        await noteRefusal(needs, current, { event, refusal })
        if (refusal.code === "expired") return refuseLate(step, current, refusal)
        if (current.status !== "completed" || !isNoEvent(current, event)) return judgement
        const effect = answerEffectOf(await readTrail(needs.trail, id))
        return { ok: false, refusal: { ...refusal, effect, message: `${refusal.message} ${lateNoWords(effect)}` } }
      }
      // Another step was stored first, or the judged record came from the cache: the loop judges the stored record.
      current = await store.get(id)
      isFresh = true
    }
  }
  return step
}

type Yes = Extract<ElicitationEvent, { type: "accept" }>

/** Whether the event may be the Yes after which the votes of several people are counted. */
const countsVotes = ({ approvals, votes }: Elicitation, event: ElicitationEvent): event is Yes =>
  event.type === "accept" && approvals !== undefined && votes !== undefined

/** The Yes with the people who have voted, and were seen since without the role in which they may answer. */
async function withFormerVoters({ members }: StepNeeds, current: Elicitation, event: Yes): Promise<Yes> {
  const formerVoters: PrincipalId[] = []
  for (const vote of current.votes ?? []) {
    const seenRoles = await members.rolesOf(vote.by)
    if (!isCurrent(current, vote, seenRoles)) formerVoters.push(vote.by)
  }
  return { ...event, formerVoters }
}

/**
 * Completes or fails a url question whose link was given to a client that has no way to accept it. Undefined for all
 * other questions and events.
 */
async function stepWithoutAcceptance(
  { trail }: Pick<StepNeeds, "trail">,
  step: Step,
  { id, event }: { readonly id: string; readonly event: ElicitationEvent },
): Promise<StepResult | undefined> {
  if ((event.type !== "complete" && event.type !== "fail") || event.isHandedOut === true) return undefined
  return isHandedOut(await readTrail(trail, id)) ? step(id, { ...event, isHandedOut: true }) : undefined
}

async function noteRefusal(
  { trail, runtime, onChange, observer }: StepNeeds,
  current: Elicitation,
  { event, refusal }: { readonly event: ElicitationEvent; readonly refusal: Refusal },
): Promise<void> {
  if (isSettled(current.status)) onChange(current)
  const attempt = isNoEvent(current, event) && event.type === "accept" ? { ...event, type: "decline" } : event
  if (!isAttempt(event)) return
  await trail.append(refusedEntry(current, attempt, refusal, runtime.now()))
  observer.refused({ ...attemptOf(current.id, event, refusal), elicitation: current })
}

/** Whether the event is a person's No: a decline, a cancel, or the answer No to a confirmation. */
function isNoEvent(current: Elicitation, event: ElicitationEvent): boolean {
  if (event.type === "accept") return current.mode === "form" && isNo(current.requestedSchema, event.content)
  return event.type === "decline" || (event.type === "cancel" && event.by !== undefined)
}

/** Expires an overdue question that no process had swept yet, and refuses the late attempt. */
async function refuseLate(step: Step, { id, expiresAt }: Elicitation, refusal: Refusal): Promise<StepResult> {
  const expiryResult = await step(id, { type: "expire" })
  const settledAt = expiryResult.ok ? (expiryResult.elicitation.settledAt ?? expiresAt) : expiresAt
  return { ok: false, refusal: { ...refusal, status: "expired", ended: { status: "expired", at: settledAt } } }
}

async function refuseUnknown(needs: StepNeeds, id: string, event: ElicitationEvent): Promise<StepResult> {
  const { trail, runtime, observer } = needs
  const refusal: Refusal = { code: "not_found", message: "There is no such question, or it was removed by retention." }
  if ("by" in event && event.by !== undefined && isIdShaped(id)) {
    await trail.append(refusedEntry({ id, tenant: event.by.tenant }, event, refusal, runtime.now()))
    observer.refused(attemptOf(id, event, refusal))
  }
  return { ok: false, refusal }
}

const attemptOf = (id: string, event: ElicitationEvent, { code }: Refusal): RefusedStep => ({
  ...{ id, code, attempt: event.type },
  ...("by" in event && event.by !== undefined ? { by: event.by } : {}),
})

/** Whether a caller or a person took the step. The hub's own steps are not recorded as refused attempts. */
const isAttempt = (event: ElicitationEvent): boolean =>
  !["expire", "join", "widen", "release", "reject", "escalate", "remind"].includes(event.type)

/** Whether the text looks like an id. Other text from a caller does not get into the trail. */
const isIdShaped = (id: string): boolean => /^[0-9a-zA-Z_-]{1,64}$/.test(id)
