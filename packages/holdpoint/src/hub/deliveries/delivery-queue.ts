// Works through the deliveries of one outlet in this process: one timer for the next due delivery, a limited number at
// a time. Due deliveries are read from the store, so when a process dies the others carry out its deliveries.

import type { Delivery } from "../../core/delivery.ts"
import { isSettled } from "../../core/elicitation.ts"
import type { Entry } from "../../ports/trail.ts"
import type { Work } from "../work.ts"
import type { DeliveryNeeds } from "./advance-delivery.ts"
import { advanceDelivery, endDelivery } from "./advance-delivery.ts"

export interface DeliveryQueue {
  /** Makes the timer fire at this time at the latest, because a delivery is due then. */
  arm(at: number): void
  /** Withdraws the messages of a settled question. */
  settle(question: Pick<Entry, "id" | "tenant">): void
  /**
   * Checks every delivery: those that are due, and those whose question was settled while no process ran this outlet.
   */
  sweep(): Promise<void>
  stop(): void
}

export type DeliveryQueueNeeds = Omit<DeliveryNeeds, "arm"> & Pick<Work, "background">

const mostAtOnce = 16
const pageSize = 50
const retryMs = 5_000
const endOfTime = Number.MAX_SAFE_INTEGER

export function createDeliveryQueue(given: DeliveryQueueNeeds): DeliveryQueue {
  const { outlet, records, store, runtime, background } = given
  const underWay = new Set<string>()
  let armedFor = Number.POSITIVE_INFINITY
  let cancel: () => void = () => {}
  let isStopped = false

  const arm = (at: number): void => {
    if (isStopped || at >= armedFor) return
    cancel()
    armedFor = at
    cancel = runtime.after(Math.max(0, at - runtime.now()), () => {
      armedFor = Number.POSITIVE_INFINITY
      background(`looking for deliveries to “${outlet.name}”`, () => orLater(look))
    })
  }
  const needs: DeliveryNeeds = { ...given, arm }

  /** Schedules a retry when the work fails: a short database outage must not stop deliveries. */
  const orLater = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      arm(runtime.now() + retryMs)
      throw error
    }
  }

  const look = async (): Promise<void> => {
    const page = await records.list({ dueBefore: endOfTime, limit: mostAtOnce * 2 })
    for (const delivery of page) {
      if (delivery.dueAt > runtime.now()) return arm(delivery.dueAt)
      if (underWay.size >= mostAtOnce) return
      if (!underWay.has(delivery.id)) begin(delivery)
    }
  }

  /** Runs in the background, so that a slow delivery does not block the others. Looks for more when it has finished. */
  const begin = (delivery: Delivery): void => {
    underWay.add(delivery.id)
    background(`carrying out a delivery to “${outlet.name}”`, () =>
      orLater(async () => {
        try {
          await advanceDelivery(needs, delivery)
        } finally {
          underWay.delete(delivery.id)
        }
        arm(runtime.now())
      }),
    )
  }

  const endSettled = async (delivery: Delivery): Promise<void> => {
    // The attempt in progress reads the question again at its end, and withdraws the message then.
    if (underWay.has(delivery.id)) return
    const question = await store.get(delivery.elicitation)
    if (question === undefined || isSettled(question.status)) await endDelivery(needs, delivery, question)
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
      for (let after: Delivery | undefined; ; ) {
        const page = await records.list({
          dueBefore: endOfTime,
          ...(after === undefined ? {} : { after }),
          limit: pageSize,
        })
        await Promise.all(page.map(endSettled))
        after = page.at(-1)
        if (after === undefined || page.length < pageSize) break
      }
      arm(runtime.now())
    },
    stop() {
      isStopped = true
      cancel()
    },
  }
}
