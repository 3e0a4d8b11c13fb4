// The counters in the text format of Prometheus, version 0.0.4. Pure.

import type { Counters, Labels, MetricName } from "./metrics.ts"
import { metrics, waitBounds } from "./metrics.ts"

export function toPrometheus(counters: Counters): string {
  return Object.entries(metrics)
    .map(([name, { kind, help }]) => {
      const lines = kind === "histogram" ? waitLines(name, counters) : seriesLines(name as MetricName, counters)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ""].join("\n")
    })
    .join("")
}

function seriesLines(name: MetricName, counters: Counters): readonly string[] {
  return counters.series(name).map(({ labels, value }) => `${name}${toLabels(labels)} ${value}`)
}

/** Buckets are cumulative in this format. */
function waitLines(name: string, counters: Counters): readonly string[] {
  return counters.waits().flatMap(({ labels, count, sum, buckets }) => {
    let countBelow = 0
    const lines = waitBounds.map((bound, index) => {
      countBelow += buckets[index] ?? 0
      return `${name}_bucket${toLabels({ ...labels, le: String(bound) })} ${countBelow}`
    })
    const totalLine = `${name}_bucket${toLabels({ ...labels, le: "+Inf" })} ${count}`
    return [...lines, totalLine, `${name}_sum${toLabels(labels)} ${sum}`, `${name}_count${toLabels(labels)} ${count}`]
  })
}

function toLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const escaped = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
