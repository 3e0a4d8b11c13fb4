// One step of one elicitation: load → judge → compare-and-set → tell. Losing a race means judging again what won.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { ElicitationEvent, Refusal } from "../core/transition.ts"
import { transition } from "../core/transition.ts"
import { refusedEntry, stepEntry } from "./entries.ts"
import type { HubParts } from "./hub.ts"

/** What became of a step. `changed` is false when the same actor had done the same before. */
export type StepResult =
  | { readonly ok: true; readonly changed: boolean; readonly elicitation: Elicitation }
  | { readonly ok: false; readonly refusal: Refusal }

export async function step(parts: HubParts, id: string, event: ElicitationEvent): Promise<StepResult> {
  const { storage, runtime } = parts
  const cached = parts.live.get(id)?.record
  let isFresh = cached === undefined
  let current = cached ?? (await storage.store.get(id))
  for (;;) {
    if (current === undefined) return refuseUnknown(parts, id, event)
    const now = runtime.now()
    const judged = transition(current, event, now)
    if (judged.ok) {
      if (!judged.changed && isFresh) {
        parts.moved(current)
        return { ok: true, changed: false, elicitation: current }
      }
      if (judged.changed && (await storage.store.replace(judged.next, stepEntry(judged.next, event, now)))) {
        parts.moved(judged.next)
        return { ok: true, changed: true, elicitation: judged.next }
      }
    } else if (isFresh) {
      return refuse(parts, current, event, judged.refusal)
    }
    // Either a race was lost or the judgement rests on a cached record: judge what is really there.
    current = await storage.store.get(id)
    isFresh = true
  }
}

async function refuse(
  parts: HubParts,
  current: Elicitation,
  event: ElicitationEvent,
  refusal: Refusal,
): Promise<StepResult> {
  const { storage, runtime } = parts
  if (isSettled(current.status)) parts.moved(current)
  if (isAttempt(event)) await storage.trail.append(refusedEntry(current, event, refusal, runtime.now()))
  if (refusal.code !== "expired") return { ok: false, refusal }
  // Nobody had swept it yet: the late one settles it, and is still refused.
  const swept = await step(parts, current.id, { type: "expire" })
  const settledAt = swept.ok ? (swept.elicitation.settledAt ?? current.expiresAt) : current.expiresAt
  return { ok: false, refusal: { ...refusal, status: "expired", ended: { status: "expired", at: settledAt } } }
}

async function refuseUnknown(parts: HubParts, id: string, event: ElicitationEvent): Promise<StepResult> {
  const refusal: Refusal = { code: "not_found", message: "There is no such question, or it was removed by retention." }
  if ("by" in event && event.by !== undefined && isStorable(id)) {
    const target = { id, tenant: event.by.tenant }
    await parts.storage.trail.append(refusedEntry(target, event, refusal, parts.runtime.now()))
  }
  return { ok: false, refusal }
}

/** Steps that the hub takes on its own are no attempts of anybody. */
const isAttempt = (event: ElicitationEvent): boolean =>
  !["expire", "join", "widen", "release", "reject"].includes(event.type)

/** What a stranger sends as an id goes into the trail only if it looks like one. */
const isStorable = (id: string): boolean => /^[0-9a-zA-Z_-]{1,64}$/.test(id)
