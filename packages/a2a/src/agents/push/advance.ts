// Notifies one receiver of its task if the task has changed: reads the task, takes the lease, sends the notification
// and records the result. Another process may work on the same configuration, or may have died in between.

import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server"
import { V1PushNotificationSerializer } from "@a2a-js/sdk/server"
import type { SealedText } from "@holdpoint/agents/internal"
import type { Poster } from "@holdpoint/fetching"
import type { Runtime } from "@holdpoint/hub"
import type { DueWork } from "@holdpoint/hub/internal"
import type { Records } from "@holdpoint/hub/storage"
import type { PushSource, TaskNow } from "../push-port.ts"
import { headersOf, toTarget } from "./config.ts"
import type { DeliveryEvent } from "./delivery.ts"
import type { A2aPushConfig } from "./records.ts"

export interface DeliveryParts {
  readonly records: Records<A2aPushConfig>
  readonly sealed: SealedText<A2aPushConfig>
  readonly runtime: Runtime
  readonly source: PushSource
  readonly poster: Pick<Poster, "post">
}

/** Notifies the receiver if the task has changed since it was notified. */
export async function advance(
  parts: DeliveryParts,
  config: A2aPushConfig,
  { apply, underLease }: DueWork<A2aPushConfig, DeliveryEvent>,
): Promise<void> {
  const task = await parts.source.statusOf(config.task)
  if (task === undefined) {
    await parts.records.remove(config)
    return
  }
  const { number, isOver } = task
  if (number <= config.told) {
    await apply(config, { type: "rest", number, isOver })
    return
  }
  await underLease(config, async (leased, attempt) => {
    const sent = await send(parts, leased, task, attempt.signal)
    switch (sent.kind) {
      case "accepted":
        return attempt.end({ type: "accept", number, isOver, result: sent.result })
      case "gone":
        return attempt.end({ type: "leave" })
      case "failed": {
        const note = { last: sent.result, tried: { number, isOver } }
        return attempt.fail({ note, retryAfterMs: sent.retryAfterMs })
      }
      case "stopped":
        return attempt.release()
    }
  })
}

function send(
  { sealed, poster, runtime }: DeliveryParts,
  config: A2aPushConfig,
  { response }: TaskNow,
  signal: AbortSignal,
) {
  const target = toTarget(sealed.open(config))
  const serializer = config.protocol.startsWith("0.")
    ? new V03PushNotificationSerializer()
    : new V1PushNotificationSerializer()
  const { body, contentType } = serializer.serialize(response)
  const headers = { ...headersOf(target), "content-type": contentType }
  return poster.post({ url: target.url, headers, body, at: runtime.now(), signal })
}
