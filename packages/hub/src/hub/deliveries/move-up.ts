// Moves a question up the ladder: when no earlier outlet can show it to a person, the next outlet shows it at once
// instead of waiting for its time. Reads trail and deliveries, because the outlets may be in several processes.

import type { Delivery } from "../../core/delivery.ts"
import { isNotBegun, transitionDelivery } from "../../core/delivery.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import { isSamePerson } from "../../core/principal.ts"
import { change } from "../../due/change.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Entry, Trail } from "../../ports/trail.ts"
import { outletEntry } from "../trail-entries.ts"

/** Called for each outlet that cannot show the question. Does nothing in a hub without a ladder. */
export type MoveUp = (question: Elicitation) => Promise<void>

export interface MoveUpNeeds {
  readonly ladder: Ladder | undefined
  readonly trail: Pick<Trail, "read">
  readonly recordsOf: (outlet: string) => Records<Delivery>
  readonly runtime: Pick<Runtime, "now">
}

const pageSize = 1_000

export function createMoveUp({ ladder, trail, recordsOf, runtime }: MoveUpNeeds): MoveUp {
  if (ladder === undefined) return async () => {}
  return async (question) => {
    const { id, tenant } = question
    const entries = await trail.read({ id, limit: pageSize })
    const lastingOutlets = [...new Set(entries.flatMap(({ detail }) => Object.keys(detail.owed ?? {})))]
    if (entries.length === pageSize || mayBeShownWithoutDelivery(entries, lastingOutlets)) return
    const lists = lastingOutlets.map((outlet) => recordsOf(outlet).list({ tenant, owner: id, limit: pageSize }))
    const deliveries = (await Promise.all(lists)).flat()
    // Some addresses were not looked up yet. This function is called again after the lookup.
    if (deliveries.some(({ address, state }) => address === undefined && state === "owed")) return
    const now = runtime.now()
    for (const delivery of nextDeliveries(deliveries, now)) {
      const { outlet, person } = delivery
      if (person === undefined) continue
      const time = await ladder.timeOf(question, { outlet, person, startsAt: now })
      if (!("at" in time) || time.at >= delivery.dueAt) continue
      const event = { type: "reschedule", dueAt: time.at, movedUp: true } as const
      // Refused when another process was faster: it moved the delivery up, or began to post the message.
      await change(
        recordsOf(outlet),
        delivery,
        (current) => (time.at < current.dueAt ? transitionDelivery(current, event, now) : undefined),
        () => outletEntry(question, "owed", { owed: { [outlet]: time.at } }, now),
      )
    }
  }
}

/**
 * Whether an outlet without deliveries has shown the question, or one in the asking process has not reported a result.
 */
function mayBeShownWithoutDelivery(entries: readonly Entry[], lastingOutlets: readonly string[]): boolean {
  const notShownIn = entries.filter(({ kind }) => kind === "not_shown").map(({ detail }) => detail.via)
  const outletsOfAsker = entries.flatMap(({ detail }) => detail.here ?? [])
  const isShown = entries.some(({ kind, detail }) => kind === "shown" && !lastingOutlets.includes(detail.via ?? ""))
  return isShown || !outletsOfAsker.every((name) => notShownIn.includes(name))
}

/** Returns each person's next delivery, for the people to whom no outlet shows the question or is about to show it. */
function nextDeliveries(deliveries: readonly Delivery[], now: number): readonly Delivery[] {
  const waitingDeliveries = deliveries.filter((delivery) => isNotBegun(delivery) && delivery.dueAt > now)
  const isServed = ({ person }: Delivery): boolean =>
    deliveries.some((other) => isToPerson(other, person) && isActive(other, now))
  const isNext = ({ person, dueAt }: Delivery): boolean =>
    waitingDeliveries.every((other) => !isToPerson(other, person) || other.dueAt >= dueAt)
  return waitingDeliveries.filter((delivery) => !isServed(delivery) && isNext(delivery))
}

const isToPerson = (delivery: Delivery, person: Delivery["person"]): boolean =>
  person !== undefined && delivery.person !== undefined && isSamePerson(delivery.person, person)

/** Whether a delivery is shown, due, in its first attempt, or delayed by its service. A failed one is not active. */
function isActive({ state, attempts, isTried, lease, dueAt }: Delivery, now: number): boolean {
  if (state === "shown") return true
  return state === "owed" && (attempts === 0 ? dueAt <= now || isTried === true : attempts === 1 && lease !== undefined)
}
