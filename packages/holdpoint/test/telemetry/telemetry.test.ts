// Counters, log lines and pseudonyms, without OpenTelemetry.

import { describe, expect, it } from "vitest"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createPseudonyms } from "../../src/sealing/pseudonym.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { createTelemetry } from "../../src/telemetry/index.ts"
import { createTestClock } from "../../src/testing/clock.ts"
import { alice, bob, formDraft, mallory, urlDraft } from "../fixtures.ts"
import { sqlite } from "../stores/engines.ts"
import { verifies } from "../verifies.ts"

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
  verifies("telemetry.once", "has exact totals over two hubs on one SQLite file", async () => {
    const { open, destroy } = await sqlite()
    const processes = [await open(), await open()].map((storage) => {
      const telemetry = createTelemetry({ storage, keys })
      return { storage, telemetry, hub: createHub({ storage, outlets: [inbox()], observer: telemetry }) }
    })
    const hubs = processes.map(({ hub }) => hub)
    const count = 20
    // Both processes ask under the same keys: half of the asks join.
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        Promise.all(hubs.map((hub) => hub.ask({ ...formDraft, key: `k${n}` }))).then(async ([asked]) => {
          const id = asked?.id ?? ""
          const by = { by: alice, content: { ok: true } }
          // Both answer at once, and one of them wins; bob is refused.
          await Promise.all([
            ...hubs.map((hub, at) => hub.answer(id, { ...by, action: at === 0 ? "accept" : "decline" })),
            hubs[n % 2]?.answer(id, { by: bob, action: "decline" }),
          ])
        }),
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
    for (const { telemetry } of processes)
      await expect.poll(() => telemetry.total("holdpoint_elicitations_open")).toBe(1)
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
  })

  it("knows the share of requests for an account that end connected", async () => {
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
    "logs one line for each ask, settlement and refusal, the wrong person as a warning",
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

  it("logs as JSON, one object a line", async () => {
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

  it("is the same in every process with the same keys, and another one with other keys", () => {
    expect(createPseudonyms(() => keys)(alice)).toBe(pseudonym(alice))
    expect(createPseudonyms(withNewKey())(alice)).not.toBe(pseudonym(alice))
  })

  it("tells people apart by tenant, issuer and subject", () => {
    const people = [alice, bob, mallory, { ...alice, issuer: "https://other.example" }]
    expect(new Set(people.map(pseudonym)).size).toBe(4)
    expect(pseudonym({ ...alice, roles: ["admin"] } as typeof alice)).toBe(pseudonym(alice))
  })

  it("is refused when the ring has no current key, which would make it guessable", () => {
    expect(() => createPseudonyms({ current: "gone", keys: new Map() })(alice)).toThrow(/current/)
  })
})
