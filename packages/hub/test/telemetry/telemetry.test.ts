// Counters, log lines and pseudonyms, without OpenTelemetry.

import { createTestClock } from "@holdpoint/testing"
import { alice, bob, formDraft, mallory, urlDraft } from "@holdpoint/testkit/fixtures"
import { sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createPseudonyms } from "../../src/sealing/pseudonym.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { createTelemetry } from "../../src/telemetry/index.ts"
import { assertExactTotals } from "./exact-totals.ts"

const keys = withNewKey()

function openWorld(as: "text" | "json" = "text") {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  const lines: string[] = []
  const log = { as, write: (line: string) => lines.push(line) }
  const telemetry = createTelemetry({ storage, keys, log, now: clock.now })
  const hub = createHub({ storage, outlets: [inbox()], runtime: clock, observer: telemetry })
  return { storage, clock, lines, telemetry, hub }
}

describe("telemetry", () => {
  verifies("telemetry.once", "has exact totals over two hubs on one SQLite file", () => assertExactTotals(sqlite))

  it("reports the share of account requests that end connected", async () => {
    const { hub, telemetry } = openWorld()
    expect(telemetry.prometheusText()).not.toMatch(/^holdpoint_connected_share \d/m)
    const [first, second] = await Promise.all([hub.ask(urlDraft), hub.ask(urlDraft)])
    await hub.answer(first.id, { by: alice, action: "accept" })
    await hub.complete(first.id)
    await hub.answer(second.id, { by: alice, action: "decline" })
    // Other questions do not count.
    await hub.answer((await hub.ask(formDraft)).id, { by: alice, action: "decline" })
    expect(telemetry.total("holdpoint_connected_share")).toBe(0.5)
  })

  it("writes the text format of Prometheus, with cumulative buckets", async () => {
    const { hub, telemetry, clock } = openWorld()
    const { id } = await hub.ask(formDraft)
    await clock.advance(20_000)
    await hub.answer(id, { by: alice, action: "decline" })
    telemetry.unauthorized({ provider: 'a"b\\c\nd', credentials: "missing" })
    await expect.poll(() => telemetry.total("holdpoint_elicitations_open")).toBe(0)
    const text = telemetry.prometheusText()
    const labels = 'trigger="approval",mode="form",outcome="declined"'
    for (const line of [
      "# TYPE holdpoint_elicitations_asked_total counter",
      'holdpoint_elicitations_asked_total{trigger="approval",mode="form"} 1',
      `holdpoint_elicitations_settled_total{${labels}} 1`,
      'holdpoint_upstream_unauthorized_total{provider="a\\"b\\\\c\\nd",credentials="missing"} 1',
      "holdpoint_elicitations_open 0",
      `holdpoint_elicitation_wait_seconds_bucket{${labels},le="15"} 0`,
      `holdpoint_elicitation_wait_seconds_bucket{${labels},le="30"} 1`,
      `holdpoint_elicitation_wait_seconds_bucket{${labels},le="+Inf"} 1`,
      `holdpoint_elicitation_wait_seconds_sum{${labels}} 20`,
      `holdpoint_elicitation_wait_seconds_count{${labels}} 1`,
    ])
      expect(text.split("\n")).toContain(line)
    expect(text.endsWith("\n")).toBe(true)
  })

  verifies(
    "telemetry.no-content",
    "logs one line for each ask, settlement and refusal, with a warning for the wrong person",
    async () => {
      const { hub, lines, clock } = openWorld()
      const context = { trigger: "approval", toolName: "x\n2026 info forged" } as const
      const { id } = await hub.ask({ ...formDraft, context })
      await clock.advance(1_000)
      await hub.answer(id, { by: bob, action: "decline" })
      await hub.answer(id, { by: alice, action: "accept", content: { ok: true } })
      const [of, ofBob] = [alice, bob].map(createPseudonyms(keys))
      const common = `id=${id} trigger=approval mode=form`
      const tool = 'tool_name="x\\n2026 info forged"'
      expect(lines).toEqual([
        `2026-01-01T00:00:00.000Z info elicitation.requested ${common} ${tool} principal=${of}`,
        `2026-01-01T00:00:01.000Z warn elicitation.refused ${common} ${tool} principal=${ofBob} code=not_addressee attempt=decline`,
        `2026-01-01T00:00:01.000Z info elicitation.completed ${common} outcome=completed ${tool} principal=${of} duration_ms=1000`,
      ])
      expect(lines.join("\n")).not.toMatch(/Deploy to production|alice|bob|id\.example|acme/)
    },
  )

  it("logs as JSON, one object per line", async () => {
    const { hub, lines } = openWorld("json")
    await hub.answer("0b5f7f9e-unknown", { by: mallory, action: "decline" })
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", event: "elicitation.refused", id: "0b5f7f9e-unknown", code: "not_found", attempt: "decline" },
    ])
  })

  verifies("telemetry.never-in-the-way", "changes no step when the observer throws", async () => {
    const reports: string[] = []
    const fail = () => {
      throw new Error("broken")
    }
    const observer = { activeTrace: fail, asked: fail, settled: fail, refused: fail, unauthorized: fail }
    const report = (doing: string) => reports.push(doing)
    const hub = createHub({ storage: createMemoryStorage(), outlets: [inbox()], observer, report })
    const asked = await hub.ask(formDraft)
    await hub.answer(asked.id, { by: bob, action: "decline" })
    await hub.answer(asked.id, { by: alice, action: "accept", content: { ok: true } })
    expect(await hub.wait(asked)).toEqual({ status: "completed", content: { ok: true } })
    expect(reports).toEqual(Array(4).fill("observing a step"))
    await hub.close()
  })
})

describe("a pseudonym", () => {
  const pseudonym = createPseudonyms(keys)

  it("is the same in every process with the same keys, and different with other keys", () => {
    expect(createPseudonyms(() => keys)(alice)).toBe(pseudonym(alice))
    expect(createPseudonyms(withNewKey())(alice)).not.toBe(pseudonym(alice))
  })

  it("distinguishes people by tenant, issuer and subject", () => {
    const people = [alice, bob, mallory, { ...alice, issuer: "https://other.example" }]
    expect(new Set(people.map(pseudonym)).size).toBe(4)
    expect(pseudonym({ ...alice, roles: ["admin"] } as typeof alice)).toBe(pseudonym(alice))
  })

  it("is refused when the ring has no current key, which would make it guessable", () => {
    expect(() => createPseudonyms({ current: "gone", keys: new Map() })(alice)).toThrow(/current/)
  })
})
