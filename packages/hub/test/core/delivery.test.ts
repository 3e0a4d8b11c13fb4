// What may happen to a delivery, and when it is due.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { Delivery, DeliveryEvent } from "../../src/core/delivery.ts"
import { deliveryDelays, isUnposted, transitionDelivery } from "../../src/core/delivery.ts"
import { attemptMs, leaseMs, retryAt, underNewLease, withoutLease } from "../../src/core/due.ts"

const now = 1_000_000
const endsAt = now + 300_000
const owed: Delivery = {
  id: "d1",
  tenant: "acme",
  version: 1,
  elicitation: "q1",
  outlet: "slack",
  address: "U1",
  state: "owed",
  attempts: 0,
  dueAt: now,
  createdAt: now,
}
const { address: _address, ...unaddressed } = owed
const taken = underNewLease(owed, leaseMs, now)
const showEvent = { type: "show", endsAt, receipt: { ts: "1" } } as const
const tried: Delivery = { ...owed, attempts: 1, dueAt: now + 5_000 }

function after(current: Delivery, event: DeliveryEvent, at = now): Delivery {
  const next = transitionDelivery(current, event, at)
  if (next === undefined || next === "remove") throw new Error(`${event.type}: ${next}`)
  return next
}

describe("a delivery", () => {
  it("is posted under a lease that outlasts an attempt", () => {
    expect(taken).toEqual({ ...owed, attempts: 1, dueAt: now + leaseMs, lease: { number: 2, until: now + leaseMs } })
    expect(attemptMs).toBeLessThan(leaseMs)
  })

  verifies("delivery.one-at-a-time", "ignores the result of an attempt whose lease went to another", () => {
    const retaken = underNewLease({ ...taken, version: 2 }, leaseMs, now + leaseMs)
    expect(withoutLease(retaken, 2)).toBeUndefined()
    expect(withoutLease(retaken, 3)).toMatchObject({ attempts: 2, lease: undefined })
  })

  it("that was shown keeps the receipt and the time, and is due again after its question's deadline", () => {
    const delivered = after(owed, showEvent)
    expect(delivered).toEqual({
      ...owed,
      state: "shown",
      receipt: { ts: "1" },
      shownAt: now,
      dueAt: endsAt + 1_000,
    })
    expect(after(delivered, { type: "rest", endsAt: endsAt + 5 }).dueAt).toBe(endsAt + 1_005)
  })

  verifies("delivery.retried", "waits longer after each failure, and is abandoned after the last attempt", () => {
    const waits: (number | undefined)[] = []
    for (let attempts = 1; waits.at(-1) !== undefined || attempts === 1; attempts++)
      waits.push(retryAt({ attempts }, { delays: deliveryDelays, terms: {}, now: 0, random: 0.5 }))
    const seconds = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900]
    expect(waits).toEqual([...seconds.map((one) => one * 1_000), undefined])
    const abandoned = after({ ...tried, attempts: 12, endsAt }, { type: "give_up" })
    expect(abandoned).toMatchObject({ state: "abandoned", attempts: 12 })
    expect(abandoned.dueAt).toBeGreaterThan(endsAt)
  })

  it("waits as long as its service asks, at most an hour, and does not count a refusal", () => {
    const retry = { delays: deliveryDelays, now: 0, random: 0 }
    expect(retryAt(tried, { ...retry, terms: { retryAfterMs: 60_000 } })).toBe(60_000)
    expect(retryAt(tried, { ...retry, terms: { retryAfterMs: 86_400_000 } })).toBe(3_600_000)
    expect(retryAt({ attempts: 99 }, { ...retry, terms: { isUncounted: true, retryAfterMs: 0 } })).toBe(1_000)
  })

  it("is withdrawn immediately when its question ends, and counts those attempts separately", () => {
    const withdrawing = after(after(tried, showEvent), { type: "withdraw" })
    expect(withdrawing).toMatchObject({ state: "withdrawing", attempts: 0, receipt: { ts: "1" }, dueAt: now })
    const failed = { ...withdrawing, attempts: 1, dueAt: now + 5_000 }
    expect(transitionDelivery(failed, { type: "withdraw" }, now + 4_999)).toBeUndefined()
    expect(after(failed, { type: "withdraw" }, now + 5_000)).toEqual(failed)
    expect(transitionDelivery(failed, { type: "withdrawn" }, now)).toBe("remove")
    expect(transitionDelivery(failed, { type: "give_up" }, now)).toBe("remove")
  })

  it("is rescheduled only before its first attempt", () => {
    expect(after(owed, { type: "reschedule", dueAt: now + 1 }).dueAt).toBe(now + 1)
    for (const begun of [taken, tried, { ...owed, isTried: true } as const, after(owed, showEvent)])
      expect(transitionDelivery(begun, { type: "reschedule", dueAt: now + 1 }, now)).toBeUndefined()
  })

  it.each([
    ["owed and never tried", owed, true],
    ["being posted", taken, false],
    ["owed after a failure that may have happened after posting", tried, false],
    ["unable", after(tried, { type: "unable", endsAt }), true],
    ["without an address", { ...unaddressed, state: "spread", attempts: 1 } as const, true],
    ["shown", after(tried, showEvent), false],
    ["abandoned", { ...owed, state: "abandoned", attempts: 12 } as const, false],
  ])("that is %s has no posted message: %s", (_name, delivery, expected) => {
    expect(isUnposted(delivery)).toBe(expected)
  })
})
