// The part of `@opentelemetry/api` that telemetry uses, as types of its own: programs without that package compile and
// run. The host passes the package in; it is never imported here.

/** What the host passes: `import * as api from "@opentelemetry/api"`, and a tracer or meter if not the global ones. */
export interface OpenTelemetry {
  readonly api: OpenTelemetryApi
  /** Default: `api.trace.getTracer("@holdpoint/hub")`. */
  readonly tracer?: Tracer
  /** Default: `api.metrics.getMeter("@holdpoint/hub")`. */
  readonly meter?: Meter
}

export interface OpenTelemetryApi {
  readonly ROOT_CONTEXT: TraceContext
  readonly trace: {
    getTracer(name: string): Tracer
    getActiveSpan(): Span | undefined
    setSpanContext(context: TraceContext, spanContext: SpanContext): TraceContext
    setSpan(context: TraceContext, span: Span): TraceContext
  }
  readonly metrics: { getMeter(name: string): Meter }
}

export interface TraceContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): TraceContext
  deleteValue(key: symbol): TraceContext
}

export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  readonly isRemote?: boolean
}

export type Attributes = Record<string, string | number | boolean>

export interface Span {
  spanContext(): SpanContext
  setStatus(status: { code: number }): unknown
  end(at?: Date): void
}

export interface Tracer {
  startSpan(
    name: string,
    options: { startTime: Date; attributes: Attributes; links: { context: SpanContext }[] },
    context: TraceContext,
  ): Span
}

export interface Meter {
  createObservableCounter(name: string, options: { description: string }): Observable
  createObservableGauge(name: string, options: { description: string }): Observable
  createHistogram(
    name: string,
    options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): { record(value: number, attributes: Attributes): void }
}

export interface Observable {
  addCallback(callback: ObservableCallback): void
  removeCallback(callback: ObservableCallback): void
}

export type ObservableCallback = (result: { observe(value: number, attributes: Attributes): void }) => void
