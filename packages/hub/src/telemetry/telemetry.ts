// Telemetry of one process: counters, spans and log lines, from what its hub and its vault report. It changes nothing,
// and a question never waits for it.

import type { Elicitation } from "../core/elicitation.ts"
import type { Observer } from "../ports/observer.ts"
import type { Storage } from "../ports/storage.ts"
import type { KeyRing } from "../sealing/key-ring.ts"
import { createPseudonyms } from "../sealing/pseudonym.ts"
import { attributesOf, endOf, labelsOf } from "./facts.ts"
import type { LogOptions, LogRecord } from "./log.ts"
import { toLine } from "./log.ts"
import { bridgeMeter } from "./meter.ts"
import type { Labels, MetricName } from "./metrics.ts"
import { createCounters } from "./metrics.ts"
import { followOpenQuestions } from "./open-questions.ts"
import type { Attributes, OpenTelemetry, SpanContext } from "./open-telemetry.ts"
import { toPrometheus } from "./prometheus.ts"
import type { Spans } from "./spans.ts"
import { createSpans } from "./spans.ts"

/** The options of `createTelemetry`. Only `storage` is required. */
export interface TelemetryOptions {
  /** The storage of the hub. Close it after the telemetry. */
  readonly storage: Pick<Storage, "store" | "trail">
  /** The key ring, from which the key of the pseudonyms is derived. Without it people have no pseudonym. */
  readonly keys?: KeyRing | (() => KeyRing)
  /**
   * `{ api }` with `import * as api from "@opentelemetry/api"`: spans and metrics go to the SDK that the host
   * registered.
   */
  readonly openTelemetry?: OpenTelemetry
  readonly log?: LogOptions
  /** Receives errors of background work. Default: a process warning. */
  readonly report?: (activity: string, error: unknown) => void
  /** The clock of the log lines. Default: `Date.now`. */
  readonly now?: () => number
}

/** Counters, spans and log lines of one process. Pass it as `observer` to `createHub` or `createHoldpoint`. */
export interface Telemetry extends Observer {
  /** A counter as a plain number: the sum of all its series that have these labels. */
  total(name: MetricName, labels?: Labels): number
  /** All metrics in the text format of Prometheus. */
  prometheusText(): string
  /** Waits for spans that are being written. Resolves when the open questions at the start are counted, too. */
  flush(): Promise<void>
  /** Flushes, and stops following the trail. Call it after the hub is closed and before the storage. */
  close(): Promise<void>
}

/** Creates the telemetry of one process. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { storage, keys, openTelemetry, report = warn, now = Date.now } = options
  const pseudonyms = keys === undefined ? undefined : createPseudonyms(keys)
  const openQuestions = followOpenQuestions(storage)
  const counters = createCounters(openQuestions.count)
  const spans = openTelemetry && spansOf(openTelemetry)
  const meter = openTelemetry && bridgeMeter(meterOf(openTelemetry), counters)
  const runningWork = new Set<Promise<void>>()
  const background = (activity: string, work: Promise<void>): void => {
    const running = work.catch((error: unknown) => report(activity, error)).finally(() => runningWork.delete(running))
    runningWork.add(running)
  }
  background("counting open questions", openQuestions.ready)

  const log = (level: LogRecord["level"], event: string, attributes: Attributes): void => {
    options.log?.write(toLine({ at: now(), level, event, attributes }, options.log.as))
  }
  const flush = async (): Promise<void> => {
    while (runningWork.size > 0) await Promise.all(runningWork)
  }
  return {
    activeTrace: () => spans?.activeTrace(),
    asked({ elicitation, trace }) {
      const attributes = attributesOf(elicitation, pseudonyms)
      counters.add("holdpoint_elicitations_asked_total", labelsOf(elicitation))
      log("info", "elicitation.requested", attributes)
      spans?.requested({ elicitation, attributes, trace })
    },
    settled(elicitation) {
      const attributes = attributesOf(elicitation, pseudonyms)
      const labels = labelsOf(elicitation)
      const seconds = ((elicitation.settledAt ?? elicitation.createdAt) - elicitation.createdAt) / 1_000
      counters.add("holdpoint_elicitations_settled_total", labels)
      counters.wait(seconds, labels)
      meter?.wait(seconds, labels)
      log("info", `elicitation.${endOf(elicitation)}`, attributes)
      if (spans === undefined) return
      const settled: SettledQuestion = { elicitation, attributes, answering: spans.activeContext() }
      background("writing the spans of a question", writeEnd(storage, spans, settled))
    },
    refused({ id, code, attempt, by, elicitation }) {
      counters.add("holdpoint_elicitations_refused_total", { code })
      const attributes = elicitation === undefined ? { "elicitation.id": id } : attributesOf(elicitation, pseudonyms)
      // The log line names the person who made the attempt, not the person who was asked.
      const { "elicitation.principal": _asked, ...rest } = attributes
      const person = by === undefined || pseudonyms === undefined ? {} : { "elicitation.principal": pseudonyms(by) }
      const isOutsider = code === "not_addressee"
      log(isOutsider ? "warn" : "info", "elicitation.refused", { ...rest, ...person, code, attempt })
    },
    unauthorized({ provider, credentials }) {
      counters.add("holdpoint_upstream_unauthorized_total", { provider, credentials })
    },
    total: counters.total,
    prometheusText: () => toPrometheus(counters),
    flush,
    async close() {
      await flush()
      openQuestions.close()
      meter?.close()
    },
  }
}

interface SettledQuestion {
  readonly elicitation: Elicitation
  readonly attributes: Attributes
  readonly answering: SpanContext | undefined
}

/** Writes the spans of a settled question. Reads the asker's trace from the question's first trail entry. */
async function writeEnd(
  { trail }: Pick<Storage, "trail">,
  spans: Spans,
  { elicitation, attributes, answering }: SettledQuestion,
): Promise<void> {
  const [askedEntry] = await trail.read({ id: elicitation.id, limit: 1 })
  spans.ended({ elicitation, attributes, trace: askedEntry?.detail.trace }, answering)
}

const spansOf = ({ api, tracer }: OpenTelemetry): Spans => createSpans(api, tracer ?? api.trace.getTracer(scope))
const meterOf = ({ api, meter }: OpenTelemetry) => meter ?? api.metrics.getMeter(scope)
const scope = "@holdpoint/hub"

function warn(activity: string, error: unknown): void {
  process.emitWarning(`holdpoint: ${activity} failed: ${error instanceof Error ? error.message : String(error)}`)
}
