// An OTLP receiver: a real HTTP server that decodes the JSON which the OpenTelemetry exporters send.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number }
}

interface Point {
  readonly attributes: readonly Attribute[]
  readonly asDouble?: number
  readonly asInt?: number
  readonly count?: number
  readonly sum?: number
}

export interface ReceivedMetric {
  readonly name: string
  readonly sum?: { readonly dataPoints: readonly Point[] }
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}

export interface Receiver {
  readonly url: string
  /** Everything that arrived, as it was sent. */
  readonly bodies: readonly string[]
  spans(): readonly ReceivedSpan[]
  metrics(): readonly ReceivedMetric[]
  close(): Promise<void>
}

interface Sent {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[]
  }[]
}

export async function openReceiver(): Promise<Receiver> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    bodies.push(body)
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const sent = (): readonly Sent[] => bodies.map((body) => JSON.parse(body) as Sent)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () => sent().flatMap((one) => one.resourceSpans?.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)) ?? []),
    metrics: () =>
      sent().flatMap((one) => one.resourceMetrics?.flatMap((r) => r.scopeMetrics.flatMap((s) => s.metrics)) ?? []),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The attributes as an object. */
export const read = (attributes: readonly Attribute[]): Record<string, string | number | undefined> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue]),
  )
