// The ladder: the times at which outlets notify a person of a question. Pure: computes the time for one outlet from the
// operator's configuration and the person's own settings.

import type { Trigger } from "./elicitation.ts"
import type { QuietHours } from "./quiet-hours.ts"
import { quietUntil } from "./quiet-hours.ts"

/** How long after the asking an outlet notifies the person, if the question is still open then. */
export type After = number | "never"

/** One outlet on the ladder. A rung with `kinds` applies to these kinds of question, and precedes a rung without. */
export interface Rung {
  /** The name of a lasting outlet. */
  readonly outlet: string
  readonly afterMs: After
  readonly kinds?: readonly Trigger[]
}

/** The ladder settings of one person, which override the configuration. */
export interface OwnLadder {
  readonly rungs: readonly Rung[]
  readonly quiet?: QuietHours
}

/** When an outlet may notify a person of a question, or why it never does. */
export type RungTime = { readonly at: number } | { readonly never: string }

export interface RungNeeds {
  readonly outlet: string
  readonly kind: Trigger
  readonly createdAt: number
  readonly expiresAt: number
  /** Replaces the rung's own time when the question moves up, because no earlier outlet can show it. */
  readonly from?: number
}

/** The time from the person's settings, else from the configuration. An outlet on neither ladder notifies at once. */
export function timeOfRung(needs: RungNeeds, usual: readonly Rung[], { rungs, quiet }: OwnLadder): RungTime {
  const { outlet, kind, createdAt, expiresAt, from } = needs
  const after = afterOf(rungs, outlet, kind) ?? afterOf(usual, outlet, kind) ?? 0
  if (after === "never") return { never: "turned off" }
  const at = from ?? createdAt + after
  const until = quiet === undefined ? undefined : quietUntil(quiet, at)
  if (until === undefined || quiet === undefined) return { at }
  if (until < expiresAt) return { at: until }
  return quiet.urgent ? { at } : { never: "quiet hours until the question ends" }
}

/** The last rung that names the kind, else the last one for all kinds. */
export function afterOf(rungs: readonly Rung[], outlet: string, kind: Trigger): After | undefined {
  const ofOutlet = rungs.filter((rung) => rung.outlet === outlet)
  const forKind = ofOutlet.findLast(({ kinds }) => kinds?.includes(kind) === true)
  return (forKind ?? ofOutlet.findLast(({ kinds }) => kinds === undefined))?.afterMs
}
