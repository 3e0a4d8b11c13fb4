// A minimal reference of what a hub should do: a Map and a few ifs. It shares only types with the code under test.

import type { SettledStatus } from "../../../src/core/elicitation.ts"
import type { Elicitation, Principal, Reason } from "../../../src/index.ts"

export type Change = { -readonly [K in keyof Elicitation]?: Elicitation[K] | undefined } & Record<string, unknown>

/** The expected state of one question and its trail. */
export interface ReferenceQuestion {
  record: Elicitation
  facts: { kind: string; revision: number | undefined }[]
  /** The hubs that hold the question. */
  holding: Set<number>
  /** The number of calls per hub that asked and have not given up. */
  askers: Map<number, number>
  /** The hubs in which a caller left the question open. */
  stays: Set<number>
  /** When the answer was first and last read. */
  read: { first: number; last: number } | undefined
}

export interface Reference {
  readonly questions: Map<string, ReferenceQuestion>
  /** The number of attempts to answer each unknown or deleted question. */
  readonly strays: Map<string, number>
}

export type Step =
  | { type: "accept" | "decline" | "cancel"; by: Principal; content?: unknown; expiresAt?: number }
  | { type: "open"; by?: Principal }
  | { type: "complete" }
  | { type: "fail"; reason: Reason }
  | { type: "withdraw"; reason: Reason }

export type Expected = { ok: true; changed: boolean } | { ok: false; code: string; ended?: SettledStatus | undefined }

export const limits = { perPerson: 4, perTenant: 6 }
export const graceMs = 60_000
export const contentMs = 24 * 3_600_000
export const recordMs = 30 * contentMs

export const createReference = (): Reference => ({ questions: new Map(), strays: new Map() })

export const isOpen = ({ record }: ReferenceQuestion): boolean =>
  record.status === "pending" || record.status === "accepted"

export function mayAnswer({ audience }: Elicitation, by: Principal): boolean {
  if (audience.kind === "role") return by.tenant === audience.tenant && (by.roles ?? []).includes(audience.role)
  const people = audience.kind === "one" ? [audience.principal] : audience.principals
  return people.some((one) => one.subject === by.subject && one.tenant === by.tenant && one.issuer === by.issuer)
}

export function holderOf(reference: Reference, key: string | undefined): ReferenceQuestion | undefined {
  if (key === undefined) return undefined
  const claims = (known: ReferenceQuestion): boolean =>
    known.record.key === key && (isOpen(known) || known.record.keyReuse === "always")
  return [...reference.questions.values()].find(claims)
}

/** Returns the limit that prevents one more question, if any. */
export function fullFor(reference: Reference, subjects: readonly string[]): string | undefined {
  const open = [...reference.questions.values()].filter(isOpen)
  if (open.length >= limits.perTenant) return "too_many_for_tenant"
  const pending = (subject: string): number => open.filter(({ record }) => subjectsOf(record).includes(subject)).length
  return subjects.some((subject) => pending(subject) >= limits.perPerson) ? "too_many_for_person" : undefined
}

export function subjectsOf({ audience }: Elicitation): readonly string[] {
  if (audience.kind === "role") return []
  return (audience.kind === "one" ? [audience.principal] : audience.principals).map(({ subject }) => subject)
}

export function add(reference: Reference, record: Elicitation, hub: number): void {
  const facts = [{ kind: "asked", revision: 1 }]
  reference.questions.set(record.id, {
    record,
    facts,
    holding: new Set([hub]),
    askers: new Map([[hub, 1]]),
    stays: new Set(),
    read: undefined,
  })
}

/** Another hub asks the same, and holds the question from now on. */
export function join(known: ReferenceQuestion, hub: number, now: number): void {
  if (!isOpen(known)) return
  if (!known.holding.has(hub)) {
    if (now >= known.record.expiresAt) {
      end(known, "expired", now, {})
      return
    }
    known.holding.add(hub)
    move(known, "joined", { holders: known.record.holders + 1 })
  }
  known.askers.set(hub, (known.askers.get(hub) ?? 0) + 1)
}

/** One caller of a hub gives up. Returns true when it was the last one there. */
export function giveUp(known: ReferenceQuestion, hub: number, onAbort: "cancel" | "leave"): boolean {
  if (onAbort === "leave" && known.holding.has(hub)) known.stays.add(hub)
  if (onAbort === "cancel") known.askers.set(hub, Math.max(0, (known.askers.get(hub) ?? 0) - 1))
  return (known.askers.get(hub) ?? 0) === 0 && !known.stays.has(hub)
}

/** A hub releases its hold. */
export function release(known: ReferenceQuestion, hub: number, now: number): void {
  if (!known.holding.delete(hub) || !isOpen(known)) return
  const { record } = known
  const holders = Math.max(0, record.holders - 1)
  const hasBegun = record.status === "accepted" || record.openedAt !== undefined
  const reason = { code: "asker_gone", message: "The asker is no longer waiting for the answer." }
  if (now >= record.expiresAt) end(known, "expired", now, {})
  else if (holders > 0 || hasBegun) move(known, "released", { holders })
  else end(known, "cancelled", now, { holders, reason })
}

export function take(reference: Reference, id: string, step: Step, now: number): Expected {
  const known = reference.questions.get(id)
  if (known === undefined) {
    if ("by" in step && step.by !== undefined) reference.strays.set(id, (reference.strays.get(id) ?? 0) + 1)
    return { ok: false, code: "not_found" }
  }
  const { record } = known
  const code = judge(known, step, now)
  if (code === "same") return { ok: true, changed: false }
  if (code !== undefined) {
    known.facts.push({ kind: "refused", revision: undefined })
    if (code === "expired") end(known, "expired", now, {})
    const hasEnded = !isOpen(known) && code !== "not_addressee"
    return { ok: false, code, ended: hasEnded ? (known.record.status as SettledStatus) : undefined }
  }
  const by = "by" in step && step.by !== undefined ? identity(step.by) : {}
  switch (step.type) {
    case "accept":
      if (record.mode === "form")
        end(known, "completed", now, { ...by, content: step.content as Elicitation["content"] })
      else
        move(known, "accepted", {
          ...by,
          status: "accepted",
          acceptedAt: record.acceptedAt ?? late(record, now),
          ...deadline(step),
        })
      break
    case "decline":
      end(known, "declined", now, by)
      break
    case "cancel":
      end(known, "cancelled", now, by)
      break
    case "withdraw":
      end(known, "cancelled", now, { reason: step.reason })
      break
    case "complete":
      end(known, "completed", now, {})
      break
    case "fail":
      end(known, "failed", now, { reason: step.reason })
      break
    case "open":
      move(known, "opened", {
        openedAt: record.openedAt ?? now,
        ...(step.by === undefined ? {} : { verifiedAt: record.verifiedAt ?? now }),
      })
  }
  return { ok: true, changed: true }
}

/** Undefined when the step succeeds, “same” when it repeats an earlier one, otherwise the code of the refusal. */
function judge(known: ReferenceQuestion, step: Step, now: number): string | undefined {
  const { record } = known
  if ("by" in step && step.by !== undefined && !mayAnswer(record, step.by)) return "not_addressee"
  if (isSame(record, step)) return "same"
  if (!isOpen(known)) return "already_settled"
  if (now >= record.expiresAt) return "expired"
  if (record.mode === "form") {
    if (step.type === "open" || step.type === "complete" || step.type === "fail") return "wrong_mode"
    return step.type === "accept" && !fits(step.content) ? "invalid_answer" : undefined
  }
  if (step.type === "accept") {
    if (record.status === "accepted" && !isMoved(record, step)) return "already_accepted"
    return step.content === undefined ? undefined : "invalid_answer"
  }
  if (step.type === "open") {
    const isNew = record.openedAt === undefined || (step.by !== undefined && record.verifiedAt === undefined)
    return isNew ? undefined : "same"
  }
  return (step.type === "complete" || step.type === "fail") && record.status === "pending" ? "not_accepted" : undefined
}

function isSame(record: Elicitation, step: Step): boolean {
  const isTheirs = "by" in step ? record.answeredBy?.subject === step.by?.subject : record.answeredBy === undefined
  switch (step.type) {
    case "accept":
      if (record.mode === "url")
        return isTheirs && step.content === undefined && hasAccepted(record) && !isMoved(record, step)
      return isTheirs && record.content !== undefined && JSON.stringify(record.content) === JSON.stringify(step.content)
    case "decline":
      return isTheirs && record.status === "declined"
    case "cancel":
    case "withdraw":
      return isTheirs && record.status === "cancelled"
    case "complete":
      return record.mode === "url" && record.status === "completed"
    case "fail":
      return record.status === "failed"
    case "open":
      return false
  }
}

const hasAccepted = ({ status }: Elicitation): boolean => status === "accepted" || status === "completed"

/** Whether the same person sets another deadline for a question that they accepted. */
const isMoved = (record: Elicitation, { by, expiresAt }: { by: Principal; expiresAt?: number }): boolean =>
  record.status === "accepted" &&
  record.answeredBy?.subject === by.subject &&
  (expiresAt ?? record.expiresAt) !== record.expiresAt

/** Whether the content fits the form used here, which has one text field. */
const fits = (content: unknown): boolean =>
  typeof content === "object" && content !== null && typeof (content as { note?: unknown }).note === "string"

const identity = ({ tenant, issuer, subject }: Principal): Change => ({ answeredBy: { tenant, issuer, subject } })
const late = (record: Elicitation, now: number): number => Math.max(now, record.createdAt)
const deadline = (step: { expiresAt?: number }): Change =>
  step.expiresAt === undefined ? {} : { expiresAt: step.expiresAt }

export function end(known: ReferenceQuestion, status: SettledStatus, now: number, more: Change): void {
  const by = more.answeredBy ?? (status === "completed" ? known.record.answeredBy : undefined)
  move(known, status, { ...more, status, settledAt: late(known.record, now), answeredBy: by })
  for (const kept of [known.holding, known.askers, known.stays]) kept.clear()
}

function move(known: ReferenceQuestion, kind: string, change: Change): void {
  const revision = known.record.revision + 1
  const next = Object.entries({ ...known.record, ...change, revision }).filter(([, value]) => value !== undefined)
  known.record = Object.fromEntries(next) as unknown as Elicitation
  known.facts.push({ kind, revision })
}
