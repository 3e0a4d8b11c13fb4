// Carries out one delivery: waits for earlier events of its question, takes the lease, sends, and records the result.
// Another process may work on the same delivery, or may have died while working on it.

import type { WireQuestion } from "../../core/api-bodies.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Program } from "../../identity/programs/records.ts"
import { programKind } from "../../identity/programs/records.ts"
import type { Fetch } from "../../ports/fetch.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Sealer } from "../../ports/sealer.ts"
import type { Storage } from "../../ports/storage.ts"
import { type DeliveryEvent, transition } from "./delivery.ts"
import { secretsOf } from "./endpoints.ts"
import { toBody, toTestBody } from "./map.ts"
import type { Judged } from "./post.ts"
import type { Endpoint, WebhookDelivery } from "./records.ts"
import { endpointKind, laneOf, webhookDeliveryKind } from "./records.ts"
import { send } from "./send.ts"

export interface SenderParts {
  readonly storage: Pick<Storage, "store" | "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  /** A guarded fetch, with the time limit of an attempt. */
  readonly fetch: Fetch
  /** The question as `GET /api/questions/{id}` returns it to its program. */
  readonly describe: (question: Elicitation) => WireQuestion
  /** Ends attempts that are under way when the process stops. */
  readonly stopping: AbortSignal
  /** A random number from 0 to 1. */
  readonly jitter: () => number
}

/** When a delivery to a paused endpoint is checked again; resuming the endpoint makes it due immediately. */
const pausedCheckMs = 10 * 60_000
/** How long all attempts may fail before the endpoint is disabled. */
const mostFailingMs = 5 * 86_400_000
const mostInLane = 200

/**
 * Carries out the next step of one delivery. Returns the time at which the delivery, or the next one of its question,
 * is due; undefined when nothing is due.
 */
export async function advance(parts: SenderParts, delivery: WebhookDelivery): Promise<number | undefined> {
  const { storage, runtime, sealer } = parts
  const endpoint = await storage.records(endpointKind).get(delivery.endpoint)
  const program = endpoint === undefined ? undefined : await storage.records(programKind).get(endpoint.id)
  if (endpoint === undefined || program === undefined) {
    await storage.records(webhookDeliveryKind).remove(delivery)
    return undefined
  }
  const now = runtime.now()
  if (endpoint.state === "disabled") return end(parts, delivery, { type: "give_up", problem: "endpoint_disabled" })
  if (endpoint.state === "paused")
    return dueAtOf(await apply(parts, delivery, { type: "wait", until: now + pausedCheckMs }))
  const earlierDelivery = await earlierOf(parts, delivery)
  if (earlierDelivery !== undefined) {
    const until = Math.max(earlierDelivery.dueAt, now) + 1_000
    return dueAtOf(await apply(parts, delivery, { type: "wait", until }))
  }
  const body = await bodyOf(parts, delivery, program)
  if (body === undefined) return end(parts, delivery, { type: "give_up", problem: "question_gone" })
  const holder = runtime.newId()
  const leased = await apply(parts, delivery, { type: "take", holder })
  if (leased === undefined) return undefined
  const attempt = { url: endpoint.url, id: leased.id, at: runtime.now(), body, signal: parts.stopping }
  const result = await send(parts.fetch, { ...attempt, secrets: secretsOf(sealer, endpoint, attempt.at) })
  if (result.kind === "stopped") return dueAtOf(await apply(parts, leased, { type: "release", holder }))
  await noteHealth(parts, endpoint, result)
  return end(parts, leased, toEvent(result, holder, parts.jitter()))
}

function toEvent(sendResult: Exclude<Judged, { kind: "stopped" }>, holder: string, jitter: number): DeliveryEvent {
  const { kind, result } = sendResult
  if (kind === "accepted") return { type: "accept", holder, result }
  const retryAfter = "retryAfterMs" in sendResult ? { retryAfterMs: sendResult.retryAfterMs } : {}
  return { type: "fail", holder, result, jitter, isLast: kind === "gone", ...retryAfter }
}

/** Writes the body of the request. Undefined when retention has deleted the question. */
async function bodyOf({ storage, describe }: SenderParts, delivery: WebhookDelivery, program: Program) {
  if (delivery.question === undefined) return JSON.stringify(toTestBody(delivery, program))
  const question = await storage.store.get(delivery.question)
  return question === undefined ? undefined : JSON.stringify(toBody(delivery, program, question, describe(question)))
}

/** The earliest event of the same question that is still owed and must be sent before this one. */
async function earlierOf({ storage }: SenderParts, delivery: WebhookDelivery): Promise<WebhookDelivery | undefined> {
  const [earliest] = (await deliveriesInLane(storage, delivery)).filter(({ revision }) => revision < delivery.revision)
  return earliest
}

/** The owed events of a delivery's question, in order. */
async function deliveriesInLane(storage: SenderParts["storage"], { tenant, endpoint, question }: WebhookDelivery) {
  if (question === undefined) return []
  const records = storage.records(webhookDeliveryKind)
  const deliveries = await records.list({ tenant, owner: laneOf(endpoint, question), limit: mostInLane })
  return deliveries.filter(({ state }) => state === "owed").sort((a, b) => a.revision - b.revision)
}

/** Records the result. When the delivery has ended, the next event of its question is due immediately. */
async function end(parts: SenderParts, delivery: WebhookDelivery, event: DeliveryEvent): Promise<number | undefined> {
  const next = await apply(parts, delivery, event)
  if (next === undefined || next.state === "owed") return dueAtOf(next)
  const [follower] = await deliveriesInLane(parts.storage, next)
  if (follower === undefined) return undefined
  return dueAtOf(await apply(parts, follower, { type: "wait", until: parts.runtime.now() }))
}

/** Records since when the endpoint fails, or that it works again. Disables it if gone or failing for too long. */
async function noteHealth({ storage, runtime }: SenderParts, endpoint: Endpoint, sendResult: Judged): Promise<void> {
  const records = storage.records(endpointKind)
  const now = runtime.now()
  const isAccepted = sendResult.kind === "accepted"
  for (let current: Endpoint | undefined = endpoint; current !== undefined; current = await records.get(endpoint.id)) {
    const { failingSince, ...rest } = current
    const reason =
      sendResult.kind === "gone" ? "gone" : !isAccepted && isTooLong(failingSince, now) ? "failing" : undefined
    if (reason === undefined && isAccepted === (failingSince === undefined)) return
    if (current.state === "disabled") return
    const version = current.version + 1
    const failing = isAccepted ? {} : { failingSince: failingSince ?? now }
    const disabledState = reason === undefined ? {} : ({ state: "disabled", reason } as const)
    const { id, tenant } = current
    const code = reason === undefined ? (isAccepted ? "working" : "failing") : "disabled"
    const entry = { id, tenant, kind: "webhook", at: now, detail: { code } } as const
    if (await records.replace({ ...rest, version, ...failing, ...disabledState }, entry)) return
  }
}

const isTooLong = (since: number | undefined, now: number): boolean =>
  since !== undefined && now - since >= mostFailingMs

/** Applies the event. Undefined when the delivery's state does not allow it, or the delivery was removed. */
async function apply(
  { storage, runtime }: SenderParts,
  delivery: WebhookDelivery,
  event: DeliveryEvent,
): Promise<WebhookDelivery | undefined> {
  const records = storage.records(webhookDeliveryKind)
  for (
    let current: WebhookDelivery | undefined = delivery;
    current !== undefined;
    current = await records.get(delivery.id)
  ) {
    const next = transition(current, event, runtime.now())
    if (next === undefined) return undefined
    if (await records.replace(next)) return next
  }
  return undefined
}

const dueAtOf = (delivery: WebhookDelivery | undefined): number | undefined => delivery?.dueAt
