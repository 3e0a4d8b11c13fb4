// The deliveries of one outlet, as far as this process carries them out: one timer for the nearest that is due, a few at
// a time. What is due is looked up in the store, so a process that dies leaves its deliveries to the others.

import type { Delivery } from "../../core/delivery.ts"
import { isSettled } from "../../core/elicitation.ts"
import type { Entry } from "../../ports/trail.ts"
import type { Work } from "../work.ts"
import type { CarryNeeds } from "./carry.ts"
import { carry, end } from "./carry.ts"

export interface Courier {
  /** There is something to do at this time. */
  arm(at: number): void
  /** This question has ended: withdraws it. */
  settle(question: Pick<Entry, "id" | "tenant">): void
  /** Looks at every delivery: what fell due, and what was settled while no process with this outlet ran. */
  sweep(): Promise<void>
  stop(): void
}

export type CourierNeeds = Omit<CarryNeeds, "arm"> & Pick<Work, "background">

const mostAtOnce = 16
const pageSize = 50
const retryMs = 5_000
const forEver = Number.MAX_SAFE_INTEGER

export function createCourier(given: CourierNeeds): Courier {
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
  const needs: CarryNeeds = { ...given, arm }

  /** A database that is away for a moment must not stop deliveries. */
  const orLater = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      arm(runtime.now() + retryMs)
      throw error
    }
  }

  const look = async (): Promise<void> => {
    const page = await records.list({ dueBefore: forEver, limit: mostAtOnce * 2 })
    for (const delivery of page) {
      if (delivery.dueAt > runtime.now()) return arm(delivery.dueAt)
      if (underWay.size >= mostAtOnce) return
      if (!underWay.has(delivery.id)) begin(delivery)
    }
  }

  /** In the background, so that a slow one hinders no other. The next look is when this one is done. */
  const begin = (delivery: Delivery): void => {
    underWay.add(delivery.id)
    background(`carrying out a delivery to “${outlet.name}”`, () =>
      orLater(async () => {
        try {
          await carry(needs, delivery)
        } finally {
          underWay.delete(delivery.id)
        }
        arm(runtime.now())
      }),
    )
  }

  const endSettled = async (delivery: Delivery): Promise<void> => {
    // Its holder looks at the question once more when it is done.
    if (underWay.has(delivery.id)) return
    const question = await store.get(delivery.elicitation)
    if (question === undefined || isSettled(question.status)) await end(needs, delivery, question)
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
          dueBefore: forEver,
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
