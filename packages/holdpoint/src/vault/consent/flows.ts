// The book of flows: how one is written, found, moved on and closed. Compare-and-set decides who moves it.

import type { Reason } from "../../core/elicitation.ts"
import { isSamePerson } from "../../core/principal.ts"
import { sealBindings } from "../../core/seal-bindings.ts"
import type { SealBinding } from "../../core/sealed.ts"
import { discard } from "../grants.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import type { ConsentParts, Visitor } from "./consent.ts"

export const flowBinding = (flow: Pick<Flow, "id" | "tenant" | "elicitation">): SealBinding => sealBindings.flow(flow)

/** Every attempt at one question, whoever made it. */
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
  const found = await attemptsAt({ storage }, { tenant, elicitation: id })
  return found.filter(({ by }) => isSamePerson(by, principal)).sort((a, b) => b.createdAt - a.createdAt)
}

/** Attempts at one question that are remembered at a time, failed ones too. */
const mostAttempts = 20

/** Why no other attempt is made now: each may be a guess, or have a server polled. */
export async function tooMany(
  { storage }: Pick<ConsentParts, "storage">,
  { id, tenant }: { readonly id: string; readonly tenant: string },
): Promise<Reason | undefined> {
  const attempts = await attemptsAt({ storage }, { tenant, elicitation: id })
  const message = "There were too many attempts. Wait a few minutes, or start again where you came from."
  return attempts.length < mostAttempts ? undefined : { code: "too_many_attempts", message }
}

/** Of several attempts at a question the first that comes back counts: whoever clicks twice follows either. */
export async function isFirst({ storage }: Pick<ConsentParts, "storage">, flow: Flow): Promise<boolean> {
  const all = await attemptsAt({ storage }, flow)
  return !all.some(({ id, status }) => id !== flow.id && status !== "failed" && status !== "consented")
}

/** A person who said No on our page meant it; an asker who gave up does not end a consent. */
export async function isWanted(parts: Pick<ConsentParts, "storage" | "questions">, flow: Flow): Promise<boolean> {
  return !(await isDeclined(parts, flow)) && (await isFirst(parts, flow))
}

export async function isDeclined({ questions }: Pick<ConsentParts, "questions">, flow: Flow): Promise<boolean> {
  const elicitation = await questions.get(flow.elicitation)
  return elicitation === undefined || elicitation.status === "declined"
}

/** Moves a flow on; undefined when somebody else has moved it meanwhile. */
export async function move(
  { storage, arm }: Pick<ConsentParts, "storage" | "arm">,
  flow: Flow,
  change: Partial<Flow>,
): Promise<Flow | undefined> {
  const next: Flow = { ...flow, ...change, version: flow.version + 1 }
  if (!(await storage.records(flowKind).replace(next))) return undefined
  arm(next.dueAt)
  return next
}

/** Without its secrets: they are of no use any more. */
export function shredded(flow: Flow): Flow {
  const { sealed: _sealed, ...rest } = flow
  return rest
}

/** This attempt is over, and why. Another try is possible until the asker is told. */
export async function failFlow(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow | undefined> {
  const now = parts.tools.runtime.now()
  // Whoever looks for the right key has until the end; who said no elsewhere, or met a fault, has decided sooner.
  const untilMs = flow.kind === "entered" ? flow.expiresAt : Math.min(now + parts.times.retryMs, flow.expiresAt)
  // The asker hears the reason, not that time ran out.
  const dueAt = Math.max(now, untilMs - tellAheadMs)
  return move(parts, shredded(flow), { status: "failed", reason, dueAt })
}

const tellAheadMs = 1_000

/** The same for one whose grant is stored. Who closes it gives back: whoever was faster may have made use of it. */
export async function giveUp(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow | undefined> {
  const failed = await failFlow(parts, flow, reason)
  if (failed !== undefined) await discard(parts, flow.connection)
  return failed
}
