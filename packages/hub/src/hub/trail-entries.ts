// Builds the trail entry of each step. The content of an answer never gets into an entry.

import { nextItem } from "../core/agenda.ts"
import type { Elicitation, Question } from "../core/elicitation.ts"
import type { Form } from "../core/form.ts"
import type { PrincipalId } from "../core/principal.ts"
import { toPrincipalId } from "../core/principal.ts"
import type { ElicitationEvent, EventType, Refusal } from "../core/transition.ts"
import type { AskedQuestion, EntryDetail, EntryKind, NewEntry } from "../ports/trail.ts"
import { thisProcess } from "./process-id.ts"

export function askedEntry(
  question: Elicitation,
  extraDetail: Pick<EntryDetail, "owed" | "here" | "allowed" | "trace" | "process" | "nextAt"> = {},
): NewEntry {
  const detail = {
    audience: question.audience,
    expiresAt: question.expiresAt,
    question: toAsked(question),
    ...extraDetail,
  }
  return { ...subject(question), revision: question.revision, kind: "asked", at: question.createdAt, detail }
}

export function stepEntry(next: Elicitation, event: ElicitationEvent, time: number): NewEntry {
  const by = "by" in event && event.by !== undefined ? { by: toPrincipalId(event.by) } : {}
  const via = "via" in event && event.via !== undefined ? { via: event.via } : {}
  const reason = next.reason === undefined ? {} : { code: next.reason.code }
  const expiresAt = event.type === "accept" && next.status === "accepted" ? { expiresAt: next.expiresAt } : {}
  const question = event.type === "widen" ? { question: toAsked(next) } : {}
  const process = event.type === "join" ? { process: thisProcess() } : {}
  const escalatedTo = next.escalatedTo === undefined ? {} : { escalatedTo: next.escalatedTo }
  const reminder = event.type === "remind" ? { reminder: event.number } : {}
  const nextAgendaItem = event.type === "remind" || event.type === "escalate" ? nextItem(next, time) : undefined
  const nextAt = nextAgendaItem === undefined ? {} : { nextAt: nextAgendaItem.at }
  const addressees = { audience: next.audience, ...escalatedTo }
  const detail = {
    ...addressees,
    ...by,
    ...via,
    ...reason,
    ...expiresAt,
    ...question,
    ...process,
    ...reminder,
    ...nextAt,
  }
  return { ...subject(next), revision: next.revision, kind: kindOf(next, event.type), at: time, detail }
}

export function refusedEntry(
  target: Elicitation | { readonly id: string; readonly tenant: string },
  attempt: { readonly type: string; readonly by?: PrincipalId; readonly via?: string },
  refusal: Refusal,
  time: number,
): NewEntry {
  const by = attempt.by === undefined ? {} : { by: toPrincipalId(attempt.by) }
  const via = attempt.via === undefined ? {} : { via: attempt.via }
  return {
    ...subject(target),
    kind: "refused",
    at: time,
    detail: { code: refusal.code, message: attempt.type, ...by, ...via, ...formProblems(target, refusal) },
  }
}

/**
 * Returns only the problems with fields of the form: other field names come from the answer, which must not get into
 * the trail.
 */
function formProblems(target: object, { problems = [] }: Refusal): Pick<EntryDetail, "problems"> {
  const fields = "requestedSchema" in target ? namesIn(target.requestedSchema as Form) : []
  const fieldProblems = problems.filter(({ path }) => path === "" || fields.includes(path))
  return fieldProblems.length === 0 ? {} : { problems: fieldProblems.map(({ path, message }) => ({ path, message })) }
}

export function outletEntry(
  target: Elicitation,
  kind: "shown" | "not_shown" | "owed",
  detail: EntryDetail,
  time: number,
): NewEntry {
  return { ...subject(target), kind, at: time, detail }
}

function subject(target: Elicitation | { readonly id: string; readonly tenant: string }) {
  const { id, tenant } = target
  if (!("status" in target)) return { id, tenant }
  const { parent, status } = target
  return { id, tenant, ...(parent === undefined ? {} : { parent }), status }
}

function kindOf(next: Elicitation, type: EventType): EntryKind {
  switch (type) {
    case "open":
      return "opened"
    case "join":
      return "joined"
    case "widen":
      return "widened"
    case "release":
      return next.status === "cancelled" ? "cancelled" : "released"
    case "escalate":
      return "escalated"
    case "remind":
      return "reminded"
    case "accept":
      return next.status === "pending" ? "voted" : next.status
    default:
      return next.status === "pending" ? "asked" : next.status
  }
}

function toAsked(question: Question): AskedQuestion {
  const { mode, message, requester, client, context } = question
  const modeFields = question.mode === "form" ? { fields: namesIn(question.requestedSchema) } : { url: question.url }
  const { approvals, notBy } = question
  return {
    ...{ mode, message, requester, context, ...modeFields },
    ...(client === undefined ? {} : { client }),
    ...(approvals === undefined ? {} : { approvals }),
    ...(notBy === undefined ? {} : { notBy }),
  }
}

/** Returns the field names of a form. The list is cached by form. */
function namesIn(form: Form): readonly string[] {
  const cached = namesByForm.get(form) ?? Object.keys(form.properties)
  namesByForm.set(form, cached)
  return cached
}

const namesByForm = new WeakMap<Form, readonly string[]>()
