// Sends the webhooks of a process: follows the trail and sends what is due. Several processes can share a database.

import { createWork, type Report } from "../../due/work.ts"
import { createDueQueue } from "../../hub/deliveries/due-queue.ts"
import type { Storage } from "../../ports/storage.ts"
import { advance, type SenderParts } from "./advance.ts"
import type { Endpoints } from "./endpoints.ts"
import { createReader } from "./reader.ts"
import { type WebhookDelivery, webhookDeliveryKind } from "./records.ts"

/** The parts of `createWebhooks`. */
export interface WebhookParts extends Omit<SenderParts, "storage" | "stopping" | "jitter"> {
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

/** The most attempts that may be under way for one endpoint. A process has at most 16 for all endpoints. */
const mostPerEndpoint = 8
/** How long attempts that are under way may continue when the process stops. */
const graceMs = 2_000
const retryMs = 5_000

/** Sends one delivery from a process that does not follow the trail, such as a command. */
export function createSender(parts: Omit<WebhookParts, "endpoints" | "report">): Pick<Webhooks, "send"> {
  const sender = { ...parts, stopping: new AbortController().signal, jitter: Math.random }
  return { send: (delivery) => sendNow(sender, delivery) }
}

/** Starts to follow the trail and to send what is due. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { storage, runtime, endpoints, report } = parts
  const work = createWork({ runtime, report })
  const { background, track, runLater } = work
  const stopping = new AbortController()
  const sender: SenderParts = { ...parts, stopping: stopping.signal, jitter: Math.random }
  const records = storage.records(webhookDeliveryKind)
  const queue = createDueQueue<WebhookDelivery>({
    ...{ recordsName: "webhooks", records, runtime, background },
    lane: { keyOf: ({ endpoint }) => endpoint, limit: mostPerEndpoint },
    async advance(delivery) {
      const next = await advance(sender, delivery)
      if (next !== undefined) queue.arm(next)
    },
  })
  const reader = createReader({ storage, runtime, endpoints, onDue: () => queue.arm(runtime.now()) })

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
  queue.arm(runtime.now())

  return {
    send: (delivery) => track(() => sendNow(sender, delivery)),
    async close() {
      unsubscribe()
      queue.stop()
      work.close()
      const cancel = runtime.after(graceMs, () => stopping.abort())
      await work.drain()
      cancel()
    },
  }
}

async function sendNow(sender: SenderParts, delivery: WebhookDelivery): Promise<WebhookDelivery | undefined> {
  await advance(sender, delivery)
  return sender.storage.records(webhookDeliveryKind).get(delivery.id)
}
