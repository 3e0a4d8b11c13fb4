// Which process may work on a delivery and when.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { Delivery, DeliveryEvent } from "../../src/core/delivery.ts"
import { attemptMs, backoffMs, isUnposted, leaseMs, mostAttempts, transitionDelivery } from "../../src/core/delivery.ts"

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
const take = { type: "take", holder: "a" } as const
const withdraw = { type: "withdraw", holder: "a" } as const

function after(current: Delivery, ...events: readonly (DeliveryEvent & { readonly at?: number })[]): Delivery {
  return events.reduce((delivery, { at = now, ...event }) => {
    const judged = transitionDelivery(delivery, event as DeliveryEvent, at)
    if (!judged.ok) throw new Error(`${event.type}: ${judged.reason}`)
    return judged.next
  }, current)
}

describe("a delivery", () => {
  it("is taken once it is due, under a lease that outlasts an attempt", () => {
    const taken = after(owed, take)
    expect(taken).toEqual({
      ...owed,
      version: 2,
      attempts: 1,
      dueAt: now + leaseMs,
      lease: { holder: "a", until: now + leaseMs },
    })
    expect(attemptMs).toBeLessThan(leaseMs)
  })

  verifies(
    "delivery.one-at-a-time",
    "cannot be taken before it is due, nor while another process holds the lease",
    () => {
      const notDue = { ok: false, reason: "not_due" }
      expect(transitionDelivery({ ...owed, dueAt: now + 1 }, take, now)).toEqual(notDue)
      expect(transitionDelivery(after(owed, take), { ...take, holder: "b" }, now + leaseMs - 1)).toEqual(notDue)
      expect(transitionDelivery(after(owed, take), { ...take, holder: "b" }, now + leaseMs)).toMatchObject({
        ok: true,
        next: { attempts: 2, lease: { holder: "b" } },
      })
    },
  )

  verifies("delivery.one-at-a-time", "ignores the result of a holder that lost its lease to another", () => {
    const taken = after(owed, take, { ...take, holder: "b", at: now + leaseMs })
    const late = { type: "show", holder: "a", endsAt, receipt: { ts: "1" } } as const
    expect(transitionDelivery(taken, late, now + leaseMs)).toEqual({ ok: false, reason: "lost" })
  })

  it("that was shown keeps the receipt and the time, and is due again after its question's deadline", () => {
    const delivered = after(owed, take, { type: "show", holder: "a", endsAt, receipt: { ts: "1" } })
    expect(delivered).toEqual({
      ...owed,
      version: 3,
      attempts: 1,
      state: "shown",
      receipt: { ts: "1" },
      shownAt: now,
      dueAt: endsAt + 1_000,
    })
    expect(after(delivered, { type: "rest", endsAt: endsAt + 5 }).dueAt).toBe(endsAt + 1_005)
  })

  verifies("delivery.retried", "waits longer after each failure, and is abandoned after the last attempt", () => {
    const waits: number[] = []
    let delivery = owed
    while (delivery.state === "owed") {
      const at = delivery.dueAt
      delivery = after(delivery, { ...take, at }, { type: "fail", holder: "a", endsAt, at })
      if (delivery.state === "owed") waits.push(delivery.dueAt - at)
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900].map((seconds) => seconds * 1_000))
    expect(delivery).toMatchObject({ state: "abandoned", attempts: mostAttempts })
    expect(delivery.dueAt).toBeGreaterThan(endsAt)
    expect(backoffMs(1)).toBe(5_000)
  })

  it("is withdrawn immediately when its question ends, and counts those attempts separately", () => {
    const delivered = after(owed, take, { type: "show", holder: "a", endsAt, receipt: { ts: "1" } })
    const withdrawing = after(delivered, withdraw)
    expect(withdrawing).toMatchObject({ state: "withdrawing", attempts: 1, receipt: { ts: "1" }, dueAt: now + leaseMs })
    const failed = after(withdrawing, { type: "fail", holder: "a", endsAt })
    expect(failed).toMatchObject({ state: "withdrawing", dueAt: now + 5_000 })
    expect(transitionDelivery(failed, withdraw, now + 4_999)).toEqual({ ok: false, reason: "not_due" })
    expect(after(failed, { ...withdraw, at: now + 5_000 }).attempts).toBe(2)
  })

  it("is not withdrawn while it is being posted", () => {
    expect(transitionDelivery(after(owed, take), withdraw, now + 1)).toEqual({ ok: false, reason: "not_due" })
    expect(after(owed, take, { ...withdraw, at: now + leaseMs }).state).toBe("withdrawing")
  })

  it.each([
    ["owed and never tried", owed, true],
    ["being posted", after(owed, take), false],
    [
      "owed after a failure that may have happened after posting",
      after(owed, take, { type: "fail", holder: "a", endsAt }),
      false,
    ],
    ["unable", after(owed, take, { type: "unable", holder: "a", endsAt }), true],
    ["without an address", { ...unaddressed, state: "spread", attempts: 1 } as const, true],
    ["shown", after(owed, take, { type: "show", holder: "a", endsAt, receipt: {} }), false],
    ["abandoned", { ...owed, state: "abandoned", attempts: mostAttempts } as const, false],
  ])("that is %s has no posted message: %s", (_name, delivery, expected) => {
    expect(isUnposted(delivery)).toBe(expected)
  })
})
