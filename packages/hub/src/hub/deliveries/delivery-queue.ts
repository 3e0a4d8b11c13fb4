// The deliveries of one outlet in this process: those that are due are carried out, and the messages of
// settled questions are withdrawn.

import type { Delivery } from "../../core/delivery.ts"
import { isSettled } from "../../core/elicitation.ts"
import { createDueWork } from "../../due/due-work.ts"
import type { Work } from "../../due/work.ts"
import type { Entry } from "../../ports/trail.ts"
import type { DeliveryNeeds } from "./advance-delivery.ts"
import { advanceDelivery, deliveryWork, endDelivery } from "./advance-delivery.ts"

export interface DeliveryQueue {
  /** Makes the timer fire at this time at the latest, because a delivery is due then. */
  arm(time: number): void
  /** Withdraws the messages of a settled question. */
  settle(question: Pick<Entry, "id" | "tenant">): void
  /**
   * Checks every delivery: those that are due, and those whose question was settled while no process ran this outlet.
   */
  sweep(): Promise<void>
  stop(): void
}

export type DeliveryQueueNeeds = DeliveryNeeds & Pick<Work, "background">

const pageSize = 50
const endOfTime = Number.MAX_SAFE_INTEGER

export function createDeliveryQueue(needs: DeliveryQueueNeeds): DeliveryQueue {
  const { outlet, records, store, runtime, report, background } = needs
  const due = createDueWork({
    ...{ kind: deliveryWork(outlet.name), records, runtime, report, background },
    carryOut: (delivery, work) => advanceDelivery(needs, delivery, work),
  })
  const { arm, orLater } = due

  const endSettled = async (delivery: Delivery): Promise<void> => {
    // The attempt in progress reads the question again at its end, and withdraws the message then.
    if (due.isUnderWay(delivery.id)) return
    const question = await store.get(delivery.elicitation)
    if (question === undefined || isSettled(question.status)) await endDelivery(needs, delivery, { question, due })
  }

  return {
    arm,
    settle({ id, tenant }) {
      background(`withdrawing a question from “${outlet.name}”`, () =>
        orLater(async () => {
          for (let afterId = ""; ; ) {
            const page = await records.list({ tenant, owner: id, afterId, limit: pageSize })
            await Promise.all(page.map(endSettled))
            const last = page.at(-1)
            if (last === undefined || page.length < pageSize) return
            afterId = last.id
          }
        }),
      )
    },
    async sweep() {
      for (let lastDelivery: Delivery | undefined; ; ) {
        const page = await records.list({
          dueBefore: endOfTime,
          ...(lastDelivery === undefined ? {} : { after: lastDelivery }),
          limit: pageSize,
        })
        await Promise.all(page.map(endSettled))
        lastDelivery = page.at(-1)
        if (lastDelivery === undefined || page.length < pageSize) break
      }
      arm(runtime.now())
    },
    stop: due.stop,
  }
}
