// A person's answer, from whatever surface brought it.

import type { Reason } from "../core/elicitation.ts"
import type { Principal } from "../core/principal.ts"
import type { ElicitationEvent } from "../core/transition.ts"
import type { HubParts } from "./hub.ts"
import type { StepResult } from "./steps.ts"
import { step } from "./steps.ts"

/**
 * `by` must have been verified by the surface. `expiresAt` is for pages of ours on which a verified person begins a
 * flow that has its own deadline.
 */
export interface Answer {
  readonly by: Principal
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
  readonly reason?: Reason
  /** Where it was given, for the trail. */
  readonly via?: string
  readonly expiresAt?: number
}

export async function answer(parts: HubParts, id: string, given: Answer): Promise<StepResult> {
  const { expiresAt } = given
  const latest = parts.runtime.now() + parts.limits.maxLifetimeMs
  if (expiresAt !== undefined && !(Number.isInteger(expiresAt) && expiresAt <= latest)) {
    const message = `must be whole milliseconds, at most ${parts.limits.maxLifetimeMs / 1_000} s from now`
    const refusal = {
      code: "invalid_answer",
      message: `expiresAt ${message}.`,
      problems: [{ path: "expiresAt", message }],
    } as const
    return { ok: false, refusal }
  }
  return step(parts, id, toEvent(given))
}

function toEvent({ action, by, via, content, expiresAt, reason }: Answer): ElicitationEvent {
  const where = via === undefined ? {} : { via }
  const why = reason === undefined ? {} : { reason }
  switch (action) {
    case "accept":
      return {
        type: "accept",
        by,
        ...where,
        ...(content === undefined ? {} : { content }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      }
    case "decline":
      return { type: "decline", by, ...where, ...why }
    case "cancel":
      return { type: "cancel", by, ...where, ...why }
  }
}
