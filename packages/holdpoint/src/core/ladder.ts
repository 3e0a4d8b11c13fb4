// The ladder: the order in which places tell a person of a question, as times. Pure: which time holds for one place, from
// what the operator configured and what the person chose.

import type { Trigger } from "./elicitation.ts"
import type { QuietHours } from "./quiet-hours.ts"
import { quietUntil } from "./quiet-hours.ts"

/** How long after a question was asked a place tells the person, if it is still open then. */
export type After = number | "never"

/** One place in the order. A rung with `kinds` holds for these kinds of question, and before one without. */
export interface Rung {
  /** The name of a lasting outlet. */
  readonly outlet: string
  readonly afterMs: After
  readonly kinds?: readonly Trigger[]
}

/** What a person chose for themselves. */
export interface OwnLadder {
  readonly rungs: readonly Rung[]
  readonly quiet?: QuietHours
}

/** When a place may tell a person of a question, or why never. */
export type RungTime = { readonly at: number } | { readonly never: string }

export interface RungNeeds {
  readonly outlet: string
  readonly kind: Trigger
  readonly createdAt: number
  readonly expiresAt: number
  /** Counts instead of the rung's own time: the question moves up, because no earlier place can show it. */
  readonly from?: number
}

/** The time by the person's own choice, else by the configuration; a place that neither names tells immediately. */
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
