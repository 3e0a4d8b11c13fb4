// Stores what a provider issued as a grant: from a code, a login flow or an entered key.

import type { Account } from "@holdpoint/hub/internal"
import { discard, storeGrant } from "../grants.ts"
import type { Credentials } from "../kind.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import { retryWhileStoreUnavailable } from "../store-retry.ts"
import type { ConsentParts } from "./consent.ts"
import { finish } from "./finish.ts"
import { move } from "./flows.ts"

/** Stores the grant before anything else is done with it, then finishes the flow. Entered credentials have an account. */
export async function keepGrant(
  parts: ConsentParts,
  flow: Flow,
  credentials: Credentials,
  account?: Account,
): Promise<Flow> {
  const { connection: id, owner, provider, by } = flow
  await retryWhileStoreUnavailable(parts, () => storeGrant(parts, { id, owner, provider, by, credentials }))
  const dueAt = parts.tools.runtime.now() + parts.times.abandonedMs
  const exchangedFlow = await move(parts, flow, { type: "keep", dueAt, account })
  if (exchangedFlow !== undefined) return finish(parts, exchangedFlow)
  // Another process took this flow for abandoned. If it ended the flow, the grant is not used, so it is discarded.
  const current = await parts.storage.records(flowKind).get(flow.id)
  if (current === undefined || current.status === "failed") await discard(parts, id)
  return current ?? flow
}
