// The ladder: the times at which outlets notify a person of a question. Pure: computes the time for one outlet from the
// operator's configuration and the person's own settings.

import type { Trigger } from "./elicitation.ts"
import type { QuietHours } from "./quiet-hours.ts"
import { quietUntil } from "./quiet-hours.ts"

/** How long after a question was asked an outlet notifies the person, if the question is still open then. */
export type RungDelay = number | "never"

/**
 * One outlet on the ladder. A rung with `kinds` applies only to questions of these kinds, and overrides a rung without.
 */
export interface Rung {
  /** The name of a lasting outlet. */
  readonly outlet: string
  readonly afterMs: RungDelay
  readonly kinds?: readonly Trigger[]
}

/** The ladder settings of one person, which override the configuration. */
export interface OwnLadder {
  readonly rungs: readonly Rung[]
  readonly quiet?: QuietHours
}

/** When an outlet may notify a person of a question, or why it never does. */
export type RungTime = { readonly at: number } | { readonly neverReason: string }

export interface RungNeeds {
  readonly outlet: string
  readonly kind: Trigger
  readonly createdAt: number
  readonly expiresAt: number
  /** Replaces the rung's own time when the question moves up, because no earlier outlet can show it. */
  readonly startsAt?: number
}

/** The time from the person's settings, else from the configuration. An outlet on neither ladder notifies at once. */
export function timeOfRung(needs: RungNeeds, configured: readonly Rung[], { rungs, quiet }: OwnLadder): RungTime {
  const { outlet, kind, createdAt, expiresAt, startsAt } = needs
  const delay = delayOf(rungs, outlet, kind) ?? delayOf(configured, outlet, kind) ?? 0
  if (delay === "never") return { neverReason: "turned off" }
  const time = startsAt ?? createdAt + delay
  const quietEnd = quiet === undefined ? undefined : quietUntil(quiet, time)
  if (quietEnd === undefined || quiet === undefined) return { at: time }
  if (quietEnd < expiresAt) return { at: quietEnd }
  return quiet.urgent ? { at: time } : { neverReason: "quiet hours until the question ends" }
}

/**
 * The delay of the outlet's last rung that names the kind, else of its last rung for all kinds. Undefined without a
 * rung.
 */
export function delayOf(rungs: readonly Rung[], outlet: string, kind: Trigger): RungDelay | undefined {
  const outletRungs = rungs.filter((rung) => rung.outlet === outlet)
  const rungForKind = outletRungs.findLast(({ kinds }) => kinds?.includes(kind) === true)
  return (rungForKind ?? outletRungs.findLast(({ kinds }) => kinds === undefined))?.afterMs
}
