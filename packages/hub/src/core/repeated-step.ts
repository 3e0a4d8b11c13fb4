// Whether a step only repeats what the same actor did before: clients retry, and people press a button twice. Pure.

import { toConfirmed } from "./confirmation.ts"
import { yesOrNoIn } from "./decision.ts"
import type { Elicitation } from "./elicitation.ts"
import { isSettled } from "./elicitation.ts"
import type { Content } from "./form.ts"
import type { Principal } from "./principal.ts"
import { isSamePerson } from "./principal.ts"
import type { ElicitationEvent } from "./transition.ts"
import { validate } from "./validate.ts"
import { hasApproved } from "./votes.ts"

/** Whether the same actor repeats the same step, which succeeds and changes nothing. */
export function isRepeat(current: Elicitation, event: ElicitationEvent): boolean {
  switch (event.type) {
    case "accept":
      return (
        isRepeatedVote(current, event) ||
        (isSameActor(current, event.by) && isAcceptedAlready(current, event.content) && !setsDeadline(current, event))
      )
    case "decline":
      return current.status === "declined" && isSameActor(current, event.by)
    case "cancel":
      return current.status === "cancelled" && isSameActor(current, event.by)
    case "complete":
      return current.mode === "url" && current.status === "completed"
    case "fail":
      return current.status === "failed"
    case "expire":
      return current.status === "expired"
    case "release":
      return isSettled(current.status)
    case "reject":
      return current.status === "unsupported"
    case "escalate":
      return current.escalatedTo !== undefined
    case "remind":
      return event.number <= (current.reminders ?? 0)
    case "open":
    case "join":
    case "widen":
      return false
  }
}

/** Whether the event repeats a person's Yes that was counted already, or the No that ended the question. */
function isRepeatedVote(current: Elicitation, { by, content }: Extract<ElicitationEvent, { type: "accept" }>): boolean {
  if (current.approvals === undefined || current.mode !== "form") return false
  const isOpen = current.status === "pending" || current.status === "completed"
  switch (yesOrNoIn(current.requestedSchema, content)) {
    case "yes":
      return isOpen && hasApproved(current, by)
    case "no":
      return current.status === "declined" && isSameActor(current, by)
    case undefined:
      return false
  }
}

/**
 * Whether accepting again sets a new deadline: a client has accepted the link, and the person then begins on our page.
 */
export function setsDeadline(current: Elicitation, { expiresAt }: { readonly expiresAt?: number }): boolean {
  return current.status === "accepted" && expiresAt !== undefined && expiresAt !== current.expiresAt
}

export function isSameActor(current: Elicitation, by: Principal | undefined): boolean {
  if (by === undefined || current.answeredBy === undefined) return by === current.answeredBy
  return isSamePerson(current.answeredBy, by)
}

function isAcceptedAlready(current: Elicitation, content: unknown): boolean {
  if (current.mode === "url")
    return (current.status === "accepted" || current.status === "completed") && content === undefined
  if (current.status !== "completed" || current.content === undefined) return false
  const validation = validate(current.requestedSchema, toConfirmed(current.requestedSchema, content))
  return validation.ok && isSameContent(validation.content, current.content)
}

const isSameContent = (a: Content, b: Content): boolean => {
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]))
  )
}
