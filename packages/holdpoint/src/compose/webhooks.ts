// Creates the webhooks: the endpoints of programs, the guarded fetch that sends events, and the questions in these
// events, in the shape of the HTTP API.

import { type Addresses, createAddresses } from "../core/addresses.ts"
import type { Elicitation } from "../core/elicitation.ts"
import type { AddressOptions } from "../fetching/address.ts"
import { createGuardedFetch, webhookLimits } from "../fetching/guarded-fetch.ts"
import { warn } from "../hub/warn.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import { toWireQuestion } from "../surfaces/api/index.ts"
import { createEndpoints } from "../surfaces/webhook/endpoints.ts"
import { createSender, createWebhooks, type Webhooks } from "../surfaces/webhook/webhooks.ts"

interface Parts {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly runtime: Runtime
  /** Addresses that webhooks may have besides public ones. */
  readonly webhooks?: AddressOptions
}

/** Creates the endpoints of programs, and starts to send them the events that are due. */
export function openWebhooks(
  parts: Parts & { addresses: Addresses; report: (activity: string, error: unknown) => void },
) {
  const { storage, sealer, runtime, report, addresses } = parts
  const network = parts.webhooks === undefined ? {} : { network: parts.webhooks }
  const endpoints = createEndpoints({ storage, sealer, runtime, ...network })
  return { endpoints, ...createWebhooks({ storage, sealer, runtime, report, endpoints, ...sending(parts, addresses) }) }
}

/** Sends single events of webhooks, for a process that serves nothing, such as a command. */
export function createWebhookSender(parts: Parts & { readonly publicUrl: string }): Pick<Webhooks, "send"> {
  const { storage, sealer, runtime, publicUrl } = parts
  return createSender({ storage, sealer, runtime, report: warn, ...sending(parts, createAddresses(publicUrl)) })
}

/** How events are sent. The fetch has its own list of allowed addresses, because people choose where events go. */
const sending = ({ webhooks }: Parts, addresses: Addresses) => ({
  fetch: createGuardedFetch({ ...webhookLimits, ...webhooks }),
  describe: (question: Elicitation) => toWireQuestion(question, addresses),
})
