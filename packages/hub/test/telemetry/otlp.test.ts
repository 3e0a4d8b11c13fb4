// What a real OTLP receiver gets when one process asks and another settles.

import { createTestClock } from "@holdpoint/testing"
import { verifies } from "@holdpoint/testkit/verifies"
import * as api from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics"
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { createTelemetry } from "../../src/telemetry/index.ts"
import { openReceiver, type Receiver, read } from "./receiver.ts"

// Unlikely words, which must arrive nowhere.
const canaries = { message: "wombat-message", content: "wombat-content", subject: "wombat-subject" }
const person = { tenant: "acme", issuer: "https://id.example", subject: canaries.subject }
const requester = { id: "deployer" }

beforeAll(() => {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterAll(() => api.context.disable())

async function openWorld() {
  const receiver = await openReceiver()
  const provider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` }) })],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${receiver.url}/v1/metrics` }),
  })
  const meters = new MeterProvider({ readers: [reader] })
  const openTelemetry = { api, tracer: provider.getTracer("test"), meter: meters.getMeter("test") }
  const storage = createMemoryStorage()
  const clock = createTestClock()
  const keys = withNewKey()
  const lines: string[] = []
  const open = () => {
    const log = { as: "json", write: (line: string) => lines.push(line) } as const
    const telemetry = createTelemetry({ storage, keys, openTelemetry, log, now: clock.now })
    const hub = createHub({ storage, outlets: [inbox()], runtime: clock, observer: telemetry })
    return { hub, telemetry }
  }
  const [asker, settler] = [open(), open()]
  return {
    ...{ receiver, clock, asker, settler, lines, tracer: openTelemetry.tracer },
    async collect() {
      await Promise.all([asker, settler].map(({ telemetry }) => telemetry.flush()))
      await Promise.all([provider.forceFlush(), meters.forceFlush()])
    },
    async close() {
      for (const { hub, telemetry } of [asker, settler]) {
        await hub.close()
        await telemetry.close()
      }
      await Promise.all([provider.shutdown(), meters.shutdown()])
      await receiver.close()
    },
  }
}

const spanOf = (receiver: Receiver, name: string) => {
  const spans = receiver.spans().filter((span) => span.name === name)
  expect(spans, name).toHaveLength(1)
  return spans[0] as (typeof spans)[0]
}

const millis = (nanos: string): number => Number(BigInt(nanos) / 1_000_000n)

const draft = {
  message: canaries.message,
  form: { type: "object", properties: { why: { type: "string" } }, required: ["why"] },
  audience: person,
  requester,
  context: { trigger: "approval", toolId: "t-1", toolName: "deploy" },
} as const

describe("an OTLP receiver", () => {
  verifies(
    ["telemetry.spans", "telemetry.no-content"],
    "gets the wait as one span in the asker's trace, without content, when another process settles it",
    async () => {
      const { receiver, clock, asker, settler, lines, tracer, collect, close } = await openWorld()
      const asking = tracer.startSpan("tools/call")
      const start = clock.now()
      const { id } = await api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, asking), () => asker.hub.ask(draft))
      asking.end()
      await clock.advance(90_000)
      const answering = tracer.startSpan("POST /question")
      await api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, answering), () =>
        settler.hub.answer(id, { by: person, action: "accept", content: { why: canaries.content } }),
      )
      answering.end()
      await collect()

      const { traceId, spanId } = asking.spanContext()
      expect(spanOf(receiver, "elicitation.requested")).toMatchObject({ traceId, parentSpanId: spanId })
      const wait = spanOf(receiver, "elicitation.wait")
      expect(wait).toMatchObject({ traceId, parentSpanId: spanId })
      expect([millis(wait.startTimeUnixNano), millis(wait.endTimeUnixNano)]).toEqual([start, start + 90_000])
      expect(wait.links).toMatchObject([{ spanId: answering.spanContext().spanId }])
      const completed = spanOf(receiver, "elicitation.completed")
      expect(completed).toMatchObject({
        traceId: answering.spanContext().traceId,
        parentSpanId: answering.spanContext().spanId,
      })
      expect(completed.links).toMatchObject([
        { traceId, spanId },
        { traceId, spanId: wait.spanId },
      ])
      const { "elicitation.principal": principal, ...facts } = read(completed.attributes)
      expect(principal).toMatch(/^[\w-]{22}$/)
      expect(facts).toEqual({
        "elicitation.id": id,
        "elicitation.trigger": "approval",
        "elicitation.mode": "form",
        "elicitation.outcome": "completed",
        "elicitation.tool_id": "t-1",
        "elicitation.tool_name": "deploy",
        "elicitation.duration_ms": 90_000,
      })
      const everything = [...receiver.bodies, ...lines, settler.telemetry.prometheusText()].join("\n")
      expect(everything).toContain(id)
      for (const canary of [...Object.values(canaries), "id.example", "acme"]) expect(everything).not.toContain(canary)
      await close()
    },
  )

  verifies("telemetry.spans", "gets one span for each way a question can end", async () => {
    const { receiver, clock, asker, settler, collect, close } = await openWorld()
    const url = { message: "Pay", url: (id: string) => `https://hub.example/${id}`, audience: person, requester }
    const ids = await Promise.all([draft, draft, draft, url].map((one) => asker.hub.ask(one).then(({ id }) => id)))
    const [declined = "", cancelled = "", , failed = ""] = ids
    await settler.hub.answer(declined, { by: person, action: "decline" })
    await asker.hub.cancel(cancelled)
    await settler.hub.answer(failed, { by: person, action: "accept" })
    await settler.hub.fail(failed, { code: "no_money", message: canaries.content })
    await clock.advance(300_000)
    await collect()
    for (const [name, id] of [
      ["declined", declined],
      ["cancelled", cancelled],
      ["timeout", ids[2]],
      ["failed", failed],
    ]) {
      const span = spanOf(receiver, `elicitation.${name}`)
      expect(read(span.attributes)["elicitation.id"]).toBe(id)
      expect(span.status.code ?? 0).toBe(name === "failed" ? 2 : 0)
    }
    const timeout = spanOf(receiver, "elicitation.timeout")
    const waits = receiver.spans().filter(({ name }) => name === "elicitation.wait")
    expect(waits).toHaveLength(4)
    // Without a request that answered, the end is a child of the wait.
    expect(waits.map(({ spanId }) => spanId)).toContain(timeout.parentSpanId)
    expect(receiver.bodies.join("\n")).not.toContain(canaries.content)
    await close()
  })

  verifies(
    "telemetry.spans",
    "gets spans in the trace that the caller named, unless the value is not a trace",
    async () => {
      const { receiver, asker, tracer, collect, close } = await openWorld()
      const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      const active = tracer.startSpan("POST /mcp")
      const { id } = await api.context.with(api.trace.setSpan(api.ROOT_CONTEXT, active), () =>
        asker.hub.ask(draft, { trace }),
      )
      const { id: other } = await asker.hub.ask(draft, { trace: canaries.content })
      const entries = await Promise.all([id, other].map((one) => asker.hub.trail({ id: one, limit: 1 })))
      expect(entries.map(([entry]) => entry?.detail.trace)).toEqual([trace, undefined])
      await collect()
      const requested = receiver.spans().filter(({ name }) => name === "elicitation.requested")
      const [named] = requested.filter(({ traceId }) => traceId === "0af7651916cd43dd8448eb211c80319c")
      expect(named?.parentSpanId).toBe("b7ad6b7169203331")
      expect(named?.links).toMatchObject([{ spanId: active.spanContext().spanId }])
      expect(requested).toHaveLength(2)
      await close()
    },
  )

  verifies("telemetry.spans", "gets no span of a trace that its asker does not sample", async () => {
    const { receiver, asker, settler, collect, close } = await openWorld()
    const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
    const { id } = await asker.hub.ask(draft, { trace })
    await settler.hub.answer(id, { by: person, action: "decline" })
    await collect()
    expect(receiver.spans()).toEqual([])
    expect(settler.telemetry.total("holdpoint_elicitations_settled_total")).toBe(1)
    await close()
  })

  verifies("telemetry.once", "gets the counters, the waits and the open questions as metrics", async () => {
    const { receiver, clock, asker, settler, collect, close } = await openWorld()
    const { id } = await asker.hub.ask(draft)
    await asker.hub.ask(draft)
    await clock.advance(2_000)
    await settler.hub.answer(id, { by: person, action: "decline" })
    for (const { telemetry } of [asker, settler])
      await expect.poll(() => telemetry.total("holdpoint_elicitations_open")).toBe(1)
    await collect()
    const points = (name: string) => {
      const metric = receiver.metrics().findLast((one) => one.name === name)
      const dataPoints = (metric?.sum ?? metric?.gauge ?? metric?.histogram)?.dataPoints ?? []
      return dataPoints.map(({ attributes, ...point }) => ({ ...point, attributes: read(attributes) }))
    }
    const labels = { trigger: "approval", mode: "form" }
    expect(points("holdpoint.elicitations.settled")).toMatchObject([{ attributes: { ...labels, outcome: "declined" } }])
    expect(points("holdpoint.elicitation.wait")).toMatchObject([{ count: 1, sum: 2 }])
    const open = points("holdpoint.elicitations.open").map(({ asDouble, asInt }) => Number(asDouble ?? asInt))
    expect(open).toEqual([1])
    await close()
  })
})
