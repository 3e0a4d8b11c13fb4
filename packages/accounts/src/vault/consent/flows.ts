// Flow records: how they are found, changed and ended. Compare-and-set decides which process changes a flow.

import type { Reason } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import type { SealBinding } from "@holdpoint/hub/internal"
import { sealBindings } from "@holdpoint/hub/internal"
import { discard } from "../grants.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { type FlowEvent, transitionFlow } from "./flow-events.ts"

export const flowBinding = (flow: Pick<Flow, "id" | "tenant" | "elicitation">): SealBinding => sealBindings.flow(flow)

/** All attempts at one question, by any person. */
export function attemptsAt(
  { storage }: Pick<ConsentParts, "storage">,
  { tenant, elicitation }: Pick<Flow, "tenant" | "elicitation">,
): Promise<readonly Flow[]> {
  return storage.records(flowKind).list({ tenant, owner: elicitation, limit: 200 })
}

/** The attempts of one person at one question, newest first. */
export async function flowsOf(
  { storage }: Pick<ConsentParts, "storage">,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  { principal }: Pick<Visitor, "principal">,
): Promise<readonly Flow[]> {
  const attempts = await attemptsAt({ storage }, { tenant, elicitation: id })
  return attempts.filter(({ by }) => isSamePerson(by, principal)).sort((a, b) => b.createdAt - a.createdAt)
}

/** The most attempts at one question that are stored at a time, including failed ones. */
const mostAttempts = 20

/** The reason to refuse another attempt, if there are too many: each could guess a key, or make us poll a server. */
export async function tooManyAttempts(
  { storage }: Pick<ConsentParts, "storage">,
  { id, tenant }: { readonly id: string; readonly tenant: string },
): Promise<Reason | undefined> {
  const attempts = await attemptsAt({ storage }, { tenant, elicitation: id })
  const message = "There were too many attempts. Wait a few minutes, or start again where you came from."
  return attempts.length < mostAttempts ? undefined : { code: "too_many_attempts", message }
}

/** Whether no other attempt has returned. The first to return wins, so a person may continue in either window. */
export async function isFirstToReturn({ storage }: Pick<ConsentParts, "storage">, flow: Flow): Promise<boolean> {
  const attempts = await attemptsAt({ storage }, flow)
  return !attempts.some(({ id, status }) => id !== flow.id && status !== "failed" && status !== "consented")
}

/** Whether the person has not declined and no other attempt has returned. An asker that gave up does not matter. */
export async function isStillWanted(parts: Pick<ConsentParts, "storage" | "questions">, flow: Flow): Promise<boolean> {
  return !(await isDeclined(parts, flow)) && (await isFirstToReturn(parts, flow))
}

export async function isDeclined({ questions }: Pick<ConsentParts, "questions">, flow: Flow): Promise<boolean> {
  const elicitation = await questions.get(flow.elicitation)
  return elicitation === undefined || elicitation.status === "declined"
}

/** Applies an event to a flow. Undefined when it is not allowed, or another process has changed the flow since. */
export async function move(
  { storage, arm }: Pick<ConsentParts, "storage" | "arm">,
  flow: Flow,
  event: FlowEvent,
): Promise<Flow | undefined> {
  const nextFlow = transitionFlow(flow, event)
  if (nextFlow === undefined || !(await storage.records(flowKind).replace(nextFlow))) return undefined
  arm(nextFlow.dueAt)
  return nextFlow
}

/** Ends this attempt with a reason. The person can try again until the asker is notified. */
export async function failFlow(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow | undefined> {
  const now = parts.tools.runtime.now()
  // A person who looks for the right key has until the flow expires; after a No at the provider, or an error, the asker
  // is notified sooner.
  const retryEnd = flow.kind === "entered" ? flow.expiresAt : Math.min(now + parts.times.retryMs, flow.expiresAt)
  // Due shortly before the deadline, so that the asker gets the reason rather than `expired`.
  const dueAt = Math.max(now, retryEnd - reportAheadMs)
  return move(parts, flow, { type: "fail", reason, dueAt })
}

const reportAheadMs = 1_000

/**
 * Like `failFlow`, for a flow whose grant is stored. Only the process that ended the flow revokes the grant: a process
 * that lost the race must not, because the winner may be using it.
 */
export async function failAndDiscard(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow | undefined> {
  const failedFlow = await failFlow(parts, flow, reason)
  if (failedFlow !== undefined) await discard(parts, flow.connection)
  return failedFlow
}
