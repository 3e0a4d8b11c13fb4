// Converts trail entries to events, and an event to the body of a request. Pure.

import { createHash } from "node:crypto"
import type { Elicitation, Entry, Status } from "@holdpoint/hub"
import type { EntryKind } from "@holdpoint/hub/internal"
import { askProblems, requesterIdOf } from "@holdpoint/hub/internal"
import type { WireQuestion } from "@holdpoint/hub/wire"
import type { Program } from "@holdpoint/server/identity"
import type { Endpoint, WebhookDelivery } from "./records.ts"

/** The events that an endpoint can receive. Names are permanent: new ones may be added, none is changed. */
export const eventTypes = [
  "question.asked",
  "question.opened",
  "question.voted",
  "question.accepted",
  "question.settled",
] as const

/** The name of an event that an endpoint can receive. */
export type EventType = (typeof eventTypes)[number]

const typeOfKind: Partial<Readonly<Record<EntryKind, EventType>>> = {
  asked: "question.asked",
  opened: "question.opened",
  voted: "question.voted",
  accepted: "question.accepted",
  completed: "question.settled",
  declined: "question.settled",
  cancelled: "question.settled",
  expired: "question.settled",
  failed: "question.settled",
  unsupported: "question.settled",
}

/** A step of a question that endpoints can receive as an event. */
export interface QuestionEvent {
  readonly type: EventType
  readonly question: string
  readonly revision: number
  readonly status: Status
  readonly at: number
}

/** The event of a trail entry; undefined when the entry is not sent to endpoints. */
export function toEvent({ kind, id, revision, status, at }: Entry): QuestionEvent | undefined {
  const type = typeOfKind[kind]
  if (type === undefined || revision === undefined || status === undefined) return undefined
  return { type, question: id, revision, status, at }
}

/** Whether this endpoint of this program receives the event. */
export function isReceiver({ events, hears }: Endpoint, program: Program, event: QuestionEvent, question: Elicitation) {
  if (!events.includes(event.type) || question.tenant !== program.tenant) return false
  if (isAskedBy(program, question)) return true
  return hears === "audience" && askProblems(program.may, question.audience, question.mode).length === 0
}

const isAskedBy = (program: Pick<Program, "id">, { requester }: Elicitation): boolean =>
  requester.id === requesterIdOf(program)

/** The delivery of an event to an endpoint. Every process computes the same id for the same event. */
export function toDelivery({ id: endpoint, tenant }: Endpoint, event: QuestionEvent, now: number): WebhookDelivery {
  const { question, revision, at } = event
  const id = toDeliveryId({ endpoint, at, rest: `${question} ${revision}` })
  return { id, tenant, version: 1, endpoint, ...event, state: "owed", attempts: 0, dueAt: now }
}

/**
 * Creates the id of a delivery. The id contains a countdown, so that a list in order of id begins with the newest. The
 * length stays the same until the year 5188.
 */
export function toDeliveryId({ endpoint, at, rest }: DeliveryIdParts): string {
  const countdown = (longestTime - at).toString(36).padStart(9, "0")
  return `${idPrefixOf(endpoint)}${countdown}_${createHash("sha256").update(rest).digest("hex").slice(0, 12)}`
}

interface DeliveryIdParts {
  readonly endpoint: string
  readonly at: number
  readonly rest: string
}

const longestTime = 36 ** 9 - 1

/** The prefix of the ids of all deliveries to an endpoint. */
export const idPrefixOf = (endpoint: string): string => `msg_${endpoint}_`

/** The body of the request, as Standard Webhooks recommends it. */
export interface EventBody {
  readonly type: WebhookDelivery["type"]
  /** The time of the question's step, in ISO 8601. */
  readonly timestamp: string
  readonly data: Partial<WireQuestion> | { readonly program: string }
}

/** The body of an event for this program. Only the program that asked the question gets the content of the answer. */
export function toBody(
  delivery: WebhookDelivery,
  program: Program,
  question: Elicitation,
  wire: WireQuestion,
): EventBody {
  const eventState = stateAt(delivery, wire)
  const data = isAskedBy(program, question) ? eventState : toDisplayed(eventState, question)
  return { type: delivery.type, timestamp: toTime(delivery.at), data }
}

/** The body of a test event. */
export const toTestBody = ({ type, at }: WebhookDelivery, { name }: Program): EventBody => ({
  ...{ type, timestamp: toTime(at) },
  data: { program: name },
})

/** The question as it was after the step: an event that is sent late must not reveal later steps. */
function stateAt({ type, status }: WebhookDelivery, wire: WireQuestion): WireQuestion {
  if (type === "question.settled") return wire
  const { openedAt, settledAt: _at, content: _content, said: _said, reason: _reason, ...rest } = wire
  const { answeredBy: _by, answeredVia: _via, ...open } = rest
  const openedMember = type === "question.asked" || openedAt === undefined ? {} : { openedAt }
  return { ...open, ...openedMember, status: status ?? wire.status }
}

/** The members that a program needs to display another program's question, and to show that it has ended. */
function toDisplayed(wire: WireQuestion, { requester }: Elicitation) {
  const { id, status, mode, message, form, url, audience, page, createdAt, expiresAt, openedAt, settledAt } = wire
  return {
    ...{ id, status, mode, message, audience, page, createdAt, expiresAt },
    ...(form === undefined ? {} : { form }),
    ...(url === undefined ? {} : { url }),
    ...(openedAt === undefined ? {} : { openedAt }),
    ...(settledAt === undefined ? {} : { settledAt }),
    ...(requester.name === undefined ? {} : { requester: { name: requester.name } }),
  }
}

const toTime = (at: number): string => new Date(at).toISOString()
