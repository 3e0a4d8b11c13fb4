// What may happen to an attempt to connect an account, in each of its states.

import { flow } from "@holdpoint/testkit/records"
import { describe, expect, it } from "vitest"
import type { FlowEvent } from "../../src/vault/consent/flow-events.ts"
import { transitionFlow } from "../../src/vault/consent/flow-events.ts"
import type { FlowStatus } from "../../src/vault/records.ts"

const dueAt = flow().createdAt + 5
const account = { id: "42" }
const events: readonly FlowEvent[] = [
  { type: "take", dueAt },
  { type: "claim", dueAt },
  { type: "wait", dueAt },
  { type: "keep", dueAt },
  { type: "identify", account },
  { type: "merge", into: "c1" },
  { type: "ask", asks: "own_account" },
  { type: "confirm", dueAt },
  { type: "finish", dueAt, connection: "c1" },
  { type: "fail", dueAt, reason: { code: "access_denied" } },
]

/** The states to which each event leads, from each state. */
const table: Readonly<Record<FlowStatus, Partial<Record<FlowEvent["type"], FlowStatus>>>> = {
  consented: { take: "exchanging", claim: "consented", wait: "consented", keep: "exchanged", fail: "failed" },
  exchanging: { wait: "exchanging", keep: "exchanged", fail: "failed" },
  exchanged: {
    ...{ claim: "exchanged", wait: "exchanged", identify: "exchanged", merge: "exchanged" },
    ...{ ask: "confirming", finish: "finished", fail: "failed" },
  },
  confirming: { wait: "confirming", confirm: "exchanged", fail: "failed" },
  finished: { wait: "finished" },
  failed: { wait: "failed" },
}

describe("an attempt to connect an account", () => {
  it.each(Object.entries(table))("that is %s allows these events and no others", (status, allowed) => {
    const reached = events.flatMap((event) => {
      const next = transitionFlow(flow({ status: status as FlowStatus }), event)
      return next === undefined ? [] : [[event.type, next.status]]
    })
    expect(Object.fromEntries(reached)).toEqual(allowed)
  })

  it("loses its secrets when the grant is stored, and when it fails", () => {
    const consented = flow({ status: "consented" })
    expect(consented.sealed).toBeDefined()
    for (const event of events.filter(({ type }) => type === "keep" || type === "fail"))
      expect(transitionFlow(consented, event)).not.toHaveProperty("sealed")
  })

  it("replaces no connection once the person has confirmed that the account is a second one", () => {
    const confirming = flow({ status: "confirming", replaces: "c1" })
    expect(transitionFlow(confirming, { type: "confirm", dueAt })).toMatchObject({
      status: "exchanged",
      isConfirmed: true,
      replaces: undefined,
      version: confirming.version + 1,
    })
  })
})
