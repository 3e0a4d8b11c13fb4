// Applies a person's changed ladder to their open questions: what was not sent yet is sent at the new time, or not at
// all.

import type { Delivery } from "../../core/delivery.ts"
import { isNotBegun, transitionDelivery } from "../../core/delivery.ts"
import type { Principal } from "../../core/principal.ts"
import { isSamePerson } from "../../core/principal.ts"
import { change } from "../../due/change.ts"
import type { Ladder } from "../../ports/ladder.ts"
import type { Records } from "../../ports/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Store } from "../../ports/store.ts"
import { outletEntry } from "../trail-entries.ts"
import { withAskingTime } from "./advance-delivery.ts"

export interface RescheduleNeeds {
  readonly ladder: Ladder | undefined
  readonly store: Pick<Store, "list">
  readonly recordsOf: (outlet: string) => Records<Delivery>
  /** The names of all lasting outlets. */
  readonly outlets: readonly string[]
  readonly runtime: Pick<Runtime, "now">
}

const mostQuestions = 200

export async function reschedule(needs: RescheduleNeeds, person: Principal): Promise<void> {
  const { ladder, store, recordsOf, outlets, runtime } = needs
  if (ladder === undefined) return
  const { tenant } = person
  const openQuestions = await store.list({ tenant, principal: person, state: "open", limit: mostQuestions })
  for (const question of openQuestions) {
    for (const outlet of outlets) {
      const records = recordsOf(outlet)
      for (const delivery of await records.list({ tenant, owner: question.id, limit: mostQuestions })) {
        if (delivery.person === undefined || !isSamePerson(delivery.person, person) || !isNotBegun(delivery)) continue
        const now = runtime.now()
        const startsAt = delivery.movedUp === true ? { startsAt: now } : {}
        const time = await ladder.timeOf(withAskingTime(question, delivery), {
          outlet,
          person: delivery.person,
          ...startsAt,
        })
        // A delivery that is never to be sent becomes due now, and is then given up.
        const dueAt = "at" in time ? Math.max(now, time.at) : now
        await change(
          records,
          delivery,
          (current) =>
            dueAt === current.dueAt ? undefined : transitionDelivery(current, { type: "reschedule", dueAt }, now),
          () => outletEntry(question, "owed", { owed: { [outlet]: dueAt } }, now),
        )
      }
    }
  }
}
