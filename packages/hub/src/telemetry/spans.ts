// Spans of questions. A question may be settled by another process, days after it was asked, so no span is kept open:
// the wait is written as one span, with both of its times, when it is over.

import type { Elicitation } from "../core/elicitation.ts"
import { toTrace } from "../core/trace.ts"
import { endOf } from "./facts.ts"
import type { Attributes, OpenTelemetryApi, Span, SpanContext, TraceContext, Tracer } from "./open-telemetry.ts"

export interface Spans {
  /** The `traceparent` of the active span. */
  activeTrace(): string | undefined
  requested(asked: SpanOf): void
  /** `answering` is the span that was active when the question was settled. */
  ended(settled: SpanOf, answering: SpanContext | undefined): void
  activeContext(): SpanContext | undefined
}

export interface SpanOf {
  readonly elicitation: Elicitation
  readonly attributes: Attributes
  /** The `traceparent` of the request that asked. */
  readonly trace: string | undefined
}

export function createSpans(api: OpenTelemetryApi, tracer: Tracer): Spans {
  const activeContext = (): SpanContext | undefined => {
    const context = api.trace.getActiveSpan()?.spanContext()
    return context === undefined || toTrace(toTraceparent(context)) === undefined ? undefined : context
  }
  const toParentContext = (parent: SpanContext | undefined): TraceContext =>
    parent === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent)

  return {
    activeContext,
    activeTrace() {
      const context = activeContext()
      return context === undefined ? undefined : toTraceparent(context)
    },
    requested({ elicitation, attributes, trace }) {
      const askedAt = new Date(elicitation.createdAt)
      const asker = toSpanContext(trace)
      const links = linksTo([activeContext()], asker)
      tracer
        .startSpan("elicitation.requested", { startTime: askedAt, attributes, links }, toParentContext(asker))
        .end(askedAt)
    },
    ended({ elicitation, attributes, trace }, answering) {
      const asker = toSpanContext(trace)
      const [start, end] = [new Date(elicitation.createdAt), new Date(elicitation.settledAt ?? elicitation.createdAt)]
      const waitLinks = linksTo([answering], asker)
      const waitSpan = tracer.startSpan(
        "elicitation.wait",
        { startTime: start, attributes, links: waitLinks },
        toParentContext(asker),
      )
      waitSpan.end(end)
      // The last span belongs to the trace of the request that answered, if that request has one.
      const parent =
        answering === undefined ? api.trace.setSpan(api.ROOT_CONTEXT, waitSpan) : toParentContext(answering)
      const links = linksTo([asker, waitSpan.spanContext()], answering)
      const last = tracer.startSpan(`elicitation.${endOf(elicitation)}`, { startTime: end, attributes, links }, parent)
      if (endOf(elicitation) === "failed") markFailed(last)
      last.end(end)
    },
  }
}

/** Sets `SpanStatusCode.ERROR`, without the reason: a surface may have stored a person's words in it. */
const markFailed = (span: Span): unknown => span.setStatus({ code: 2 })

/** Links to all of these spans that exist, except to the parent. */
const linksTo = (
  targets: readonly (SpanContext | undefined)[],
  parent: SpanContext | undefined,
): { context: SpanContext }[] =>
  targets.flatMap((context) => (context === undefined || context.spanId === parent?.spanId ? [] : [{ context }]))

const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`

function toSpanContext(trace: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = toTrace(trace)?.split("-") ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
