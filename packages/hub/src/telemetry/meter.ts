// Lets an OpenTelemetry meter read the counters when it collects. Only the histogram is recorded as it happens, because
// the API has no observable one.

import type { Counters, Labels, MetricName } from "./metrics.ts"
import { metrics, waitBounds } from "./metrics.ts"
import type { Meter, ObservableCallback } from "./open-telemetry.ts"

export interface MeterBridge {
  wait(seconds: number, labels: Labels): void
  /** Detaches the counters from the meter. */
  close(): void
}

export function bridgeMeter(meter: Meter, counters: Counters): MeterBridge {
  const closers: (() => void)[] = []
  for (const [name, { kind, help: description }] of Object.entries(metrics)) {
    if (kind === "histogram") continue
    const make = kind === "counter" ? meter.createObservableCounter : meter.createObservableGauge
    const instrument = make.call(meter, toDotted(name), { description })
    const callback: ObservableCallback = (result) => {
      for (const { labels, value } of counters.series(name as MetricName)) result.observe(value, { ...labels })
    }
    instrument.addCallback(callback)
    closers.push(() => instrument.removeCallback(callback))
  }
  const waits = meter.createHistogram("holdpoint.elicitation.wait", {
    description: metrics.holdpoint_elicitation_wait_seconds.help,
    unit: "s",
    advice: { explicitBucketBoundaries: [...waitBounds] },
  })
  return {
    wait: (seconds, labels) => waits.record(seconds, { ...labels }),
    close() {
      for (const close of closers) close()
    },
  }
}

const toDotted = (name: string): string => name.replace(/_total$/, "").replaceAll("_", ".")
