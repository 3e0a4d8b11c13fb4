// Webhooks as a part of a server: the endpoints of programs, their page, and the events that are sent while the server
// runs. The questions in events have the shape of the HTTP API.

import type { AddressOptions } from "@holdpoint/fetching/internal"
import { createGuardedFetch, postLimits } from "@holdpoint/fetching/internal"
import type { Elicitation, Runtime, Storage } from "@holdpoint/hub"
import { type Addresses, createAddresses } from "@holdpoint/hub"
import { warn } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import { createSealer } from "@holdpoint/hub/sealing"
import { type Part, toWireQuestion } from "@holdpoint/server/parts"
import { createEndpoints } from "./endpoints.ts"
import { createWebhookPages } from "./pages.ts"
import { createSender, createWebhooks, type Webhooks } from "./webhooks.ts"

/** Addresses that webhooks may have besides public ones. Not those of the server's `network`: people choose them. */
export type WebhookOptions = AddressOptions

/**
 * Tells programs over HTTP what happens to their questions: pass it to `createHoldpoint` among its `parts`. Of several
 * processes on a database, those that have this part send.
 */
export const webhooks = (network: WebhookOptions = {}): Part => ({
  name: "webhooks",
  title: "Webhooks",
  open({ storage, keys, runtime, report, addresses }) {
    const sealer = createSealer(keys)
    const endpoints = createEndpoints({ storage, sealer, runtime, network })
    const parts = { storage, sealer, runtime, report, ...sending(network, addresses) }
    let sender: Pick<Webhooks, "send"> & Partial<Pick<Webhooks, "close">> = createSender(parts)
    return {
      ...createWebhookPages({ endpoints, send: (delivery) => sender.send(delivery) }),
      start() {
        sender = createWebhooks({ ...parts, endpoints })
      },
      close: async () => sender.close?.(),
    }
  },
})

/** What `createWebhookSender` needs. */
export interface WebhookSenderOptions {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly publicUrl: string
  readonly network?: WebhookOptions | undefined
}

/** Sends single events of webhooks, for a process that serves nothing, such as a command. */
export function createWebhookSender(options: WebhookSenderOptions): Pick<Webhooks, "send"> {
  const { storage, sealer, runtime, publicUrl, network = {} } = options
  return createSender({ storage, sealer, runtime, report: warn, ...sending(network, createAddresses(publicUrl)) })
}

/** How events are sent. The fetch has its own list of allowed addresses, because people choose where events go. */
const sending = (network: WebhookOptions, addresses: Addresses) => ({
  fetch: createGuardedFetch({ ...postLimits, ...network }),
  describe: (question: Elicitation) => toWireQuestion(question, addresses),
})
