// Two processes on one database that ask, answer and refuse at the same time: the sum of their counters is exact.

import { alice, bob, formDraft } from "@holdpoint/testkit/fixtures"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { expect } from "vitest"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createTelemetry } from "../../src/telemetry/index.ts"

const keys = withNewKey()

export async function assertExactTotals(engine: Engine): Promise<void> {
  const { open, destroy } = await engine()
  const processes = [await open(), await open()].map((storage) => {
    const telemetry = createTelemetry({ storage, keys })
    return { storage, telemetry, hub: createHub({ storage, outlets: [inbox()], observer: telemetry }) }
  })
  const hubs = processes.map(({ hub }) => hub)
  const count = 20
  // Both processes ask under the same keys: half of the asks join.
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      Promise.all(hubs.map((hub) => hub.ask({ ...formDraft, key: `k${n}`, requester: { id: `asker ${n % 2}` } }))).then(
        async ([asked]) => {
          const id = asked?.id ?? ""
          const by = { by: alice, content: { ok: true } }
          // Both answer at once, and one of them wins; bob is refused.
          await Promise.all([
            ...hubs.map((hub, at) => hub.answer(id, { ...by, action: at === 0 ? "accept" : "decline" })),
            hubs[n % 2]?.answer(id, { by: bob, action: "decline" }),
          ])
        },
      ),
    ),
  )
  const left = await hubs[0]?.ask(formDraft)
  const sum = (name: Parameters<(typeof processes)[0]["telemetry"]["total"]>[0], labels = {}) =>
    processes.reduce((all, { telemetry }) => all + telemetry.total(name, labels), 0)
  expect(sum("holdpoint_elicitations_asked_total")).toBe(count + 1)
  expect(sum("holdpoint_elicitations_settled_total")).toBe(count)
  expect(sum("holdpoint_elicitation_wait_seconds")).toBe(count)
  expect(sum("holdpoint_elicitations_refused_total", { code: "not_addressee" })).toBe(count)
  // The loser of each pair.
  expect(sum("holdpoint_elicitations_refused_total", { code: "already_settled" })).toBe(count)
  for (const { telemetry } of processes) await expect.poll(() => telemetry.total("holdpoint_elicitations_open")).toBe(1)
  // A process that starts now counts the question that is open already.
  const late = await open()
  const third = createTelemetry({ storage: late, keys })
  await third.flush()
  expect(third.total("holdpoint_elicitations_open")).toBe(1)
  await hubs[1]?.cancel(left?.id ?? "")
  await expect.poll(() => third.total("holdpoint_elicitations_open")).toBe(0)
  await third.close()
  await late.close()
  for (const { hub, telemetry, storage } of processes) {
    await hub.close()
    await telemetry.close()
    await storage.close()
  }
  await destroy()
}
