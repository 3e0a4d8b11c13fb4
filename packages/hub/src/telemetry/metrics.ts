// The counters of this process, as plain numbers. OpenTelemetry and Prometheus read them; neither keeps its own.

/** Every metric, by its name in Prometheus. Its name in OpenTelemetry has dots and no `_total`. */
export const metrics = {
  holdpoint_elicitations_asked_total: { kind: "counter", help: "Questions that this process asked." },
  holdpoint_elicitations_settled_total: { kind: "counter", help: "Questions that this process settled, by outcome." },
  holdpoint_elicitations_refused_total: { kind: "counter", help: "Attempts that this process refused, by code." },
  holdpoint_upstream_unauthorized_total: {
    kind: "counter",
    help: "Upstream calls answered with 401, by whether they carried credentials.",
  },
  holdpoint_elicitations_open: { kind: "gauge", help: "Open questions of the whole installation." },
  holdpoint_connected_share: {
    kind: "gauge",
    help: "Share of the requests for an account, settled by this process, that ended connected.",
  },
  holdpoint_elicitation_wait_seconds: { kind: "histogram", help: "Time from asking to settling." },
} as const satisfies Record<string, { readonly kind: "counter" | "gauge" | "histogram"; readonly help: string }>

export type MetricName = keyof typeof metrics
export type Labels = Readonly<Record<string, string>>

/** The upper bounds of the histogram's buckets, in seconds. */
export const waitBounds = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 86_400]

export interface Series {
  readonly labels: Labels
  value: number
}

export interface WaitSeries {
  readonly labels: Labels
  count: number
  sum: number
  /** How many waits fell into each bucket, the last one without an upper bound. Not cumulative. */
  readonly buckets: number[]
}

export interface Counters {
  add(name: MetricName, labels: Labels): void
  wait(seconds: number, labels: Labels): void
  series(name: MetricName): readonly Series[]
  waits(): readonly WaitSeries[]
  /** The sum of all series with these labels. */
  total(name: MetricName, labels?: Labels): number
}

/** `countOpen` reads the number of open questions. */
export function createCounters(countOpen: () => number): Counters {
  const seriesByName = new Map<string, Map<string, Series>>()
  const waitByTrigger = new Map<string, WaitSeries>()

  const series = (name: MetricName): readonly Series[] => {
    if (name === "holdpoint_elicitations_open") return [{ labels: {}, value: countOpen() }]
    if (name === "holdpoint_connected_share") return shareSeries(series("holdpoint_elicitations_settled_total"))
    if (name === "holdpoint_elicitation_wait_seconds")
      return [...waitByTrigger.values()].map(({ labels, count }) => ({ labels, value: count }))
    return [...(seriesByName.get(name)?.values() ?? [])]
  }

  return {
    add(name, labels) {
      const seriesOfName = seriesByName.get(name) ?? new Map<string, Series>()
      seriesByName.set(name, seriesOfName)
      const key = JSON.stringify(labels)
      const series = seriesOfName.get(key) ?? { labels, value: 0 }
      seriesOfName.set(key, series)
      series.value++
    },
    wait(seconds, labels) {
      const key = JSON.stringify(labels)
      const histogram = waitByTrigger.get(key) ?? { labels, count: 0, sum: 0, buckets: [...waitBounds, 0].map(() => 0) }
      waitByTrigger.set(key, histogram)
      histogram.count++
      histogram.sum += seconds
      const index = waitBounds.findIndex((bound) => seconds <= bound)
      const bucket = index === -1 ? waitBounds.length : index
      histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1
    },
    series,
    waits: () => [...waitByTrigger.values()],
    total: (name, labels = {}) => sumOf(series(name), labels),
  }
}

/** The series of `holdpoint_connected_share`. Empty until the first request for an account is settled. */
function shareSeries(settledSeries: readonly Series[]): readonly Series[] {
  const trigger = "credential_required"
  const settledCount = sumOf(settledSeries, { trigger })
  return settledCount === 0
    ? []
    : [{ labels: {}, value: sumOf(settledSeries, { trigger, outcome: "completed" }) / settledCount }]
}

const sumOf = (series: readonly Series[], labelFilter: Labels): number =>
  series
    .filter(({ labels }) => Object.entries(labelFilter).every(([name, value]) => labels[name] === value))
    .reduce((sum, { value }) => sum + value, 0)
