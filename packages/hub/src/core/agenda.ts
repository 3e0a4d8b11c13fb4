// What falls due for an open question besides its deadline: reminders, and the escalation to another role. Pure.

import type { Elicitation } from "./elicitation.ts"
import type { Problem } from "./error.ts"
import { nameProblem } from "./text.ts"

/** If the question is still open after this time, people with this role of the tenant may answer too. */
export interface Escalation {
  readonly afterMs: number
  readonly role: string
}

export type AgendaEvent =
  | { readonly type: "escalate" }
  /** `number` counts from 1. Of the reminders that fell due while no process ran, only the last is sent. */
  | { readonly type: "remind"; readonly number: number }

export interface AgendaItem {
  readonly at: number
  readonly event: AgendaEvent
}

/** The most reminders of one question. People ignore more. */
export const mostReminders = 10
export const leastReminderMs = 60_000

/**
 * The next reminder or escalation of a pending question, which may be overdue. Undefined when there is none before the
 * deadline, or when the question is not pending.
 */
export function nextItem(question: Elicitation, now: number): AgendaItem | undefined {
  if (question.status !== "pending") return undefined
  const { escalate, escalatedTo, createdAt, expiresAt } = question
  const escalation =
    escalate === undefined || escalatedTo !== undefined
      ? []
      : [{ at: createdAt + escalate.afterMs, event: { type: "escalate" } as const }]
  const items: readonly AgendaItem[] = [...escalation, ...reminderOf(question, now)]
  const [soonestItem] = items.filter(({ at }) => at < expiresAt).sort((a, b) => a.at - b.at)
  return soonestItem
}

function reminderOf({ remindEveryMs, reminders = 0, createdAt }: Elicitation, now: number): readonly AgendaItem[] {
  if (remindEveryMs === undefined) return []
  const number = Math.max(reminders + 1, Math.floor((now - createdAt) / remindEveryMs))
  if (number > mostReminders) return []
  return [{ at: createdAt + number * remindEveryMs, event: { type: "remind", number } }]
}

export interface AgendaRequest {
  readonly remindEveryMs?: number
  readonly escalate?: Escalation
  readonly lifetimeMs: number
}

/** Why the reminder interval or the escalation of a new question cannot be used. Empty when both can. */
export function agendaProblems({ remindEveryMs, escalate, lifetimeMs }: AgendaRequest): readonly Problem[] {
  const isWithinBounds = (ms: unknown, leastMs: number): boolean =>
    Number.isInteger(ms) && Number(ms) >= leastMs && Number(ms) < lifetimeMs
  const problems: Problem[] = []
  if (remindEveryMs !== undefined && !isWithinBounds(remindEveryMs, leastReminderMs))
    problems.push({
      path: "remindEveryMs",
      message: `must be a whole number of milliseconds, at least ${leastReminderMs / 1_000} s, less than the lifetime`,
    })
  if (escalate === undefined) return problems
  if (!isWithinBounds(escalate.afterMs, 1))
    problems.push({
      path: "escalate.afterMs",
      message: "must be a whole number of milliseconds, less than the lifetime",
    })
  const role = nameProblem(escalate.role)
  if (role !== undefined) problems.push({ path: "escalate.role", message: role })
  return problems
}
