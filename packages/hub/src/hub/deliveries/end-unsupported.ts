// Ends a question as unsupported when no outlet can show it. Some of its outlets may run in other processes, so their
// results are read from the trail and the deliveries, never from memory.

import type { Delivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { textProblem } from "../../core/text.ts"
import type { Records } from "../../ports/records.ts"
import type { Entry, Trail } from "../../ports/trail.ts"
import type { Step } from "../steps.ts"

export type EndIfUnsupported = (elicitation: Pick<Elicitation, "id" | "tenant">) => Promise<void>

export interface EndIfUnsupportedNeeds {
  readonly trail: Pick<Trail, "read">
  readonly recordsOf: (outlet: string) => Pick<Records<Delivery>, "list">
  readonly step: Step
}

const mostRead = 1_000

/**
 * Call the returned function after each `unable` result is recorded in the trail. When several outlets fail at the same
 * time, the last call sees all of their entries, and ends the question.
 */
export function createEndIfUnsupported({ trail, recordsOf, step }: EndIfUnsupportedNeeds): EndIfUnsupported {
  return async ({ id, tenant }) => {
    const entries = await trail.read({ id, limit: mostRead })
    const lastingOutlets = new Set(entries.flatMap(({ detail }) => Object.keys(detail.owed ?? {})))
    if (lastingOutlets.size > 0 && (entries.length === mostRead || mayBeSeen(entries))) return
    const lists = [...lastingOutlets].map((outlet) => recordsOf(outlet).list({ tenant, owner: id, limit: mostRead }))
    if (!(await Promise.all(lists)).every(isUnable)) return
    await step(id, { type: "reject", reason: { code: "no_outlet", ...messageOf(entries) } })
  }
}

const isUnableEntry = ({ kind, detail }: Entry): boolean => kind === "not_shown" && detail.code === "unable"

/**
 * Whether the question was shown, or may still be shown by an outlet of the asking process that has no stored
 * deliveries: one that has not reported `unable`.
 */
function mayBeSeen(entries: readonly Entry[]): boolean {
  const unableOutlets = entries.filter(isUnableEntry).map(({ detail }) => detail.via)
  const outletsOfAsker = entries.flatMap(({ detail }) => detail.here ?? [])
  return entries.some(({ kind }) => kind === "shown") || !outletsOfAsker.every((name) => unableOutlets.includes(name))
}

function isUnable(deliveries: readonly Delivery[]): boolean {
  const isExhausted = deliveries.every(({ state }) => state === "unable" || state === "spread")
  return isExhausted && deliveries.some(({ state }) => state === "unable")
}

function messageOf(entries: readonly Entry[]): { readonly message?: string } {
  const messages = entries.filter(isUnableEntry).map(({ detail }) => `${detail.via}: ${detail.message ?? "unable"}`)
  const message = [...new Set(messages)].join("; ") || "No outlet is configured."
  return textProblem(message, 1_000) === undefined ? { message } : {}
}
