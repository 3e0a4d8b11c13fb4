// Notifies one receiver of its task if the task has changed: reads the task, claims the lease, sends the notification
// and records the result. Another process may work on the same configuration, or may have died in between.

import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server"
import { V1PushNotificationSerializer } from "@a2a-js/sdk/server"
import type { SealedText } from "@holdpoint/agents/internal"
import type { Judged, Poster } from "@holdpoint/fetching"
import type { Runtime } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import type { PushSource, TaskNow } from "../push-port.ts"
import { headersOf, toTarget } from "./config.ts"
import { afterDeliveryEvent, type DeliveryEvent } from "./delivery.ts"
import type { A2aPushConfig } from "./records.ts"

export interface DeliveryParts {
  readonly records: Records<A2aPushConfig>
  readonly sealed: SealedText<A2aPushConfig>
  readonly runtime: Runtime
  readonly source: PushSource
  readonly poster: Pick<Poster, "post">
  /** Aborted when the process stops, which ends its open attempts. */
  readonly stopping: AbortSignal
  /** Returns a random number from 0 to 1. */
  readonly jitter: () => number
}

/** Carries out the due work of one configuration. Returns when this process has to check again, if it has to. */
export async function advance(parts: DeliveryParts, config: A2aPushConfig): Promise<number | undefined> {
  const { records, runtime, source } = parts
  const task = await source.statusOf(config.task)
  if (task === undefined) {
    await records.remove(config)
    return undefined
  }
  const { number, isOver } = task
  if (number <= config.told) return dueAtOf(await change(parts, config, { type: "rest", number, isOver }))
  const holder = runtime.newId()
  const leased = await change(parts, config, { type: "take", holder })
  if (leased === undefined) return undefined
  const result = await send(parts, leased, task)
  if (result.kind === "stopped") return dueAtOf(await change(parts, leased, { type: "release", holder }))
  if (result.kind === "gone") {
    await remove(parts, leased)
    return undefined
  }
  return dueAtOf(await change(parts, leased, { ...toEvent(result, parts.jitter()), holder, number, isOver }))
}

function toEvent(sendResult: Exclude<Judged, { kind: "stopped" }>, jitter: number) {
  const { kind, result } = sendResult
  if (kind === "accepted") return { type: "accept", result } as const
  const retryAfter = "retryAfterMs" in sendResult ? { retryAfterMs: sendResult.retryAfterMs } : {}
  return { type: "fail", result, jitter, ...retryAfter } as const
}

function send({ sealed, poster, runtime, stopping }: DeliveryParts, config: A2aPushConfig, { response }: TaskNow) {
  const target = toTarget(sealed.open(config))
  const serializer = config.protocol.startsWith("0.")
    ? new V03PushNotificationSerializer()
    : new V1PushNotificationSerializer()
  const { body, contentType } = serializer.serialize(response)
  const headers = { ...headersOf(target), "content-type": contentType }
  return poster.post({ url: target.url, headers, body, at: runtime.now(), signal: stopping })
}

/**
 * Applies an event by compare-and-set. Undefined when the event is not allowed now, or the configuration was removed.
 */
export async function change(
  { records, runtime }: Pick<DeliveryParts, "records" | "runtime">,
  knownConfig: A2aPushConfig,
  event: DeliveryEvent,
): Promise<A2aPushConfig | undefined> {
  for (
    let current: A2aPushConfig | undefined = knownConfig;
    current !== undefined;
    current = await records.get(knownConfig.id)
  ) {
    const next = afterDeliveryEvent(current, event, runtime.now())
    if (next === undefined) return undefined
    if (await records.replace(next)) return next
  }
  return undefined
}

/** Removes the configuration, after the receiver or the client has ended the notifications. */
export async function remove({ records }: Pick<DeliveryParts, "records">, config: A2aPushConfig): Promise<void> {
  for (let current: A2aPushConfig | undefined = config; current !== undefined; current = await records.get(config.id))
    if (await records.remove(current)) return
}

const dueAtOf = (config: A2aPushConfig | undefined): number | undefined =>
  config === undefined || config.isOver ? undefined : config.dueAt
