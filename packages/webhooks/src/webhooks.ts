// Sends the webhooks of a process: follows the trail and sends what is due. Several processes can share a database.

import type { Storage } from "@holdpoint/hub"
import { createDueWork, createWork, type Report, type Work } from "@holdpoint/hub/internal"
import { advance, type SenderParts } from "./advance.ts"
import { deliveryWork } from "./delivery.ts"
import type { Endpoints } from "./endpoints.ts"
import { createReader } from "./reader.ts"
import { type WebhookDelivery, webhookDeliveryKind } from "./records.ts"

/** The parts of `createWebhooks`. */
export interface WebhookParts extends Omit<SenderParts, "storage"> {
  readonly storage: Pick<Storage, "store" | "records" | "trail">
  readonly endpoints: Pick<Endpoints, "remove">
  readonly report: Report
}

/** Sends events from this process. Made by `createWebhooks`. */
export interface Webhooks {
  /** Sends one delivery now if it is due and no other process holds it. Returns the delivery as it is stored then. */
  send(delivery: WebhookDelivery): Promise<WebhookDelivery | undefined>
  /** Waits a short time for attempts that are under way, and then aborts them. They are repeated later. */
  close(): Promise<void>
}

const retryMs = 5_000

/** Sends single deliveries from a process that does not follow the trail, such as a command. */
export function createSender(parts: Omit<WebhookParts, "endpoints">): Pick<Webhooks, "send"> {
  return openQueue(parts, createWork(parts), { looks: false })
}

/** Starts to follow the trail and to send what is due. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { storage, runtime, endpoints } = parts
  const work = createWork(parts)
  const { background, runLater } = work
  const { due, send } = openQueue(parts, work, { looks: true })
  const reader = createReader({ storage, runtime, endpoints, onDue: () => due.arm(runtime.now()) })

  let reading: Promise<void> | undefined
  let isStale = false
  const read = (): void => {
    isStale = true
    if (reading !== undefined || work.isClosed()) return
    background("reading events for webhooks", async () => {
      reading = readAll()
      try {
        await reading
      } catch (error) {
        runLater(retryMs, read)
        throw error
      } finally {
        reading = undefined
      }
      if (isStale) read()
    })
  }
  let isStarted = false
  const readAll = async (): Promise<void> => {
    if (!isStarted) await reader.start()
    isStarted = true
    while (isStale && !work.isClosed()) {
      isStale = false
      await reader.readToEnd()
    }
  }

  const unsubscribe = storage.trail.subscribe((entries) => {
    if (!isStarted || reader.needsReading(entries)) read()
  })
  read()
  due.arm(runtime.now())

  return {
    send,
    async close() {
      unsubscribe()
      due.stop()
      work.close()
      await work.drain()
    },
  }
}

function openQueue(
  parts: Omit<WebhookParts, "endpoints">,
  { background, track }: Work,
  { looks }: { readonly looks: boolean },
) {
  const records = parts.storage.records(webhookDeliveryKind)
  const { runtime, report } = parts
  const due = createDueWork({
    ...{ kind: deliveryWork, records, runtime, report, background, looks },
    carryOut: (delivery, work) => advance(parts, delivery, work),
  })
  const send = (delivery: WebhookDelivery): Promise<WebhookDelivery | undefined> =>
    track(async () => {
      await due.advance(delivery)
      return records.get(delivery.id)
    })
  return { due, send }
}
