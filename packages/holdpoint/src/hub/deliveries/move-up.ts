// Moves a question up the ladder: when no place before can show it to a person, the next one does so at once instead of
// waiting for its time. Reads trail and deliveries, because the places may be in several processes.

import type { Delivery } from "../../core/delivery.ts"
import { isNotBegun, transitionDelivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSamePerson } from "../../core/principal.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Entry, Trail } from "../../ports/trail.ts"
import { outletEntry } from "../entries.ts"

/** Called after each place that cannot show the question. Does nothing in a hub without a ladder. */
export type MoveUp = (question: Elicitation) => Promise<void>

export interface MoveUpNeeds {
  readonly ladder: Ladder | undefined
  readonly trail: Pick<Trail, "read">
  readonly recordsOf: (outlet: string) => Records<Delivery>
  readonly runtime: Pick<Runtime, "now">
}

const mostRead = 1_000

export function createMoveUp({ ladder, trail, recordsOf, runtime }: MoveUpNeeds): MoveUp {
  if (ladder === undefined) return async () => {}
  return async (question) => {
    const { id, tenant } = question
    const entries = await trail.read({ id, limit: mostRead })
    const owed = [...new Set(entries.flatMap(({ detail }) => Object.keys(detail.owed ?? {})))]
    if (entries.length === mostRead || mayBeShownHere(entries, owed)) return
    const lists = owed.map((outlet) => recordsOf(outlet).list({ tenant, owner: id, limit: mostRead }))
    const deliveries = (await Promise.all(lists)).flat()
    // An outlet whose addresses were not looked up yet comes back here when they were.
    if (deliveries.some(({ address, state }) => address === undefined && state === "owed")) return
    const now = runtime.now()
    for (const delivery of nextOfEach(deliveries, now)) {
      const { outlet, person } = delivery
      if (person === undefined) continue
      const time = await ladder.timeOf(question, { outlet, person, from: now })
      if (!("at" in time) || time.at >= delivery.dueAt) continue
      const moved = transitionDelivery(delivery, { type: "reschedule", dueAt: time.at, movedUp: true }, now)
      // When another process was faster, it moved it up or began to show it.
      if (moved.ok) {
        const entry = outletEntry(question, "owed", { owed: { [outlet]: time.at } }, now)
        await recordsOf(outlet).replace(moved.next, entry)
      }
    }
  }
}

/** Whether an outlet without deliveries has shown the question, or one of the asking process has not said what came of it. */
function mayBeShownHere(entries: readonly Entry[], lasting: readonly string[]): boolean {
  const refusing = entries.filter(({ kind }) => kind === "not_shown").map(({ detail }) => detail.via)
  const here = entries.flatMap(({ detail }) => detail.here ?? [])
  const isShown = entries.some(({ kind, detail }) => kind === "shown" && !lasting.includes(detail.via ?? ""))
  return isShown || !here.every((name) => refusing.includes(name))
}

/** For each person whom no place shows the question, or is about to: what comes next. */
function nextOfEach(deliveries: readonly Delivery[], now: number): readonly Delivery[] {
  const waiting = deliveries.filter((one) => isNotBegun(one) && one.dueAt > now)
  const isServed = ({ person }: Delivery): boolean =>
    deliveries.some((other) => isOf(other, person) && isActive(other, now))
  const isNext = ({ person, dueAt }: Delivery): boolean =>
    waiting.every((other) => !isOf(other, person) || other.dueAt >= dueAt)
  return waiting.filter((one) => !isServed(one) && isNext(one))
}

const isOf = (delivery: Delivery, person: Delivery["person"]): boolean =>
  person !== undefined && delivery.person !== undefined && isSamePerson(delivery.person, person)

/** Shown, or in its first attempt, or waiting because its service asked for it. One that has failed does not count. */
function isActive({ state, attempts, isTried, lease, dueAt }: Delivery, now: number): boolean {
  if (state === "shown") return true
  return state === "owed" && (attempts === 0 ? dueAt <= now || isTried === true : attempts === 1 && lease !== undefined)
}
