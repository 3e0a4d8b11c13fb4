// Carries out one delivery: sends its event and records the result. Another process may work on the same delivery, or
// may have died while working on it.

import type { Judged } from "@holdpoint/fetching"
import type { Elicitation, Runtime, Storage } from "@holdpoint/hub"
import type { Attempt, DueWork, Fetch } from "@holdpoint/hub/internal"
import { change } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { WireQuestion } from "@holdpoint/hub/wire"
import type { Program } from "@holdpoint/server/identity"
import { programKind } from "@holdpoint/server/internal"
import type { DeliveryEvent } from "./delivery.ts"
import { secretsOf } from "./endpoints.ts"
import { toBody, toTestBody } from "./map.ts"
import type { Endpoint, WebhookDelivery } from "./records.ts"
import { endpointKind, webhookDeliveryKind } from "./records.ts"
import { send } from "./send.ts"

export interface SenderParts {
  readonly storage: Pick<Storage, "store" | "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
  /** A guarded fetch, with the time limit of an attempt. */
  readonly fetch: Fetch
  /** The question as `GET /api/questions/{id}` returns it to its program. */
  readonly describe: (question: Elicitation) => WireQuestion
}

/** When a delivery to a paused endpoint is checked again; resuming the endpoint makes it due immediately. */
const pausedCheckMs = 10 * 60_000
/** How long all attempts may fail before the endpoint is disabled. */
const mostFailingMs = 5 * 86_400_000

export async function advance(
  parts: SenderParts,
  delivery: WebhookDelivery,
  { apply, underLease }: DueWork<WebhookDelivery, DeliveryEvent>,
): Promise<void> {
  const { storage, runtime, sealer } = parts
  const endpoint = await storage.records(endpointKind).get(delivery.endpoint)
  const program = endpoint === undefined ? undefined : await storage.records(programKind).get(endpoint.id)
  if (endpoint === undefined || program === undefined) {
    await storage.records(webhookDeliveryKind).remove(delivery)
    return
  }
  const now = runtime.now()
  if (endpoint.state === "disabled") return void (await apply(delivery, giveUp("endpoint_disabled")))
  if (endpoint.state === "paused") return void (await apply(delivery, { type: "wait", until: now + pausedCheckMs }))
  const body = await bodyOf(parts, delivery, program)
  if (body === undefined) return void (await apply(delivery, giveUp("question_gone")))
  await underLease(delivery, async (leased, attempt) => {
    const at = runtime.now()
    const request = { url: endpoint.url, id: leased.id, at, body, signal: attempt.signal }
    const result = await send(parts.fetch, { ...request, secrets: secretsOf(sealer, endpoint, at) })
    await record(attempt, result)
    if (result.kind !== "stopped") await noteHealth(parts, endpoint, result)
  })
}

const giveUp = (problem: string): DeliveryEvent => ({ type: "give_up", problem })

function record(attempt: Attempt<WebhookDelivery, DeliveryEvent>, sent: Judged) {
  switch (sent.kind) {
    case "accepted":
      return attempt.end({ type: "accept", result: sent.result })
    case "gone":
      return attempt.fail({ note: { last: sent.result }, isLast: true })
    case "failed":
      return attempt.fail({ note: { last: sent.result }, retryAfterMs: sent.retryAfterMs })
    case "stopped":
      return attempt.release()
  }
}

/** Writes the body of the request. Undefined when retention has deleted the question. */
async function bodyOf({ storage, describe }: SenderParts, delivery: WebhookDelivery, program: Program) {
  if (delivery.question === undefined) return JSON.stringify(toTestBody(delivery, program))
  const question = await storage.store.get(delivery.question)
  return question === undefined ? undefined : JSON.stringify(toBody(delivery, program, question, describe(question)))
}

/** Records since when the endpoint fails, or that it works again. Disables it if gone or failing for too long. */
async function noteHealth({ storage, runtime }: SenderParts, endpoint: Endpoint, { kind }: Judged): Promise<void> {
  const now = runtime.now()
  const isAccepted = kind === "accepted"
  const reasonOf = ({ failingSince }: Endpoint): Endpoint["reason"] =>
    kind === "gone" ? "gone" : !isAccepted && isTooLong(failingSince, now) ? "failing" : undefined
  await change(
    storage.records(endpointKind),
    endpoint,
    (current) => {
      const { failingSince, state } = current
      const reason = reasonOf(current)
      if (state === "disabled" || (reason === undefined && isAccepted === (failingSince === undefined)))
        return undefined
      const health = { ...current, failingSince: isAccepted ? undefined : (failingSince ?? now) }
      return reason === undefined ? health : { ...health, state: "disabled" as const, reason }
    },
    ({ id, tenant, state }) => {
      const code = state === "disabled" ? "disabled" : isAccepted ? "working" : "failing"
      return { id, tenant, kind: "webhook", at: now, detail: { code } }
    },
  )
}

const isTooLong = (since: number | undefined, now: number): boolean =>
  since !== undefined && now - since >= mostFailingMs
