// The state of a person's attempt, for a page that is reopened, reloaded or returned to.

import type { Account, Connection } from "../../core/connection.ts"
import type { Elicitation, Reason } from "../../core/elicitation.ts"
import { isHashOf } from "../../sealing/hash.ts"
import type { Flow } from "../records.ts"
import { connectionKind } from "../records.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { flowBinding, flowsOf } from "./flows.ts"

export type Standing =
  /** The person can begin, or begin again: `failed` says why the last attempt ended, and until when they can retry. */
  | { readonly kind: "ready"; readonly failed?: { readonly reason: Reason; readonly until: number } }
  /** The person is at the provider, or its response is being processed. */
  | { readonly kind: "under_way"; readonly flow: Flow }
  | { readonly kind: "confirming"; readonly flow: Flow; readonly before?: Account; readonly after?: Account }
  | { readonly kind: "connected"; readonly connection: Connection }

export async function standingOf(parts: ConsentParts, elicitation: Elicitation, visitor: Visitor): Promise<Standing> {
  const flows = await flowsOf(parts, elicitation, visitor)
  const finished = flows.find(({ status }) => status === "finished")
  if (finished !== undefined) {
    const connection = await parts.storage.records(connectionKind).get(finished.connection)
    if (connection !== undefined) return { kind: "connected", connection }
  }
  const [latest] = flows
  if (latest === undefined) return { kind: "ready" }
  switch (latest.status) {
    case "failed":
      return latest.reason === undefined
        ? { kind: "ready" }
        : { kind: "ready", failed: { reason: latest.reason, until: latest.dueAt } }
    case "confirming":
      return confirmingOf(parts, latest)
    case "consented":
      // A person who returns from an OAuth provider without a response may begin again; a login flow continues by
      // itself.
      return latest.kind === "oauth" || latest.expiresAt <= parts.tools.runtime.now()
        ? { kind: "ready" }
        : { kind: "under_way", flow: latest }
    default:
      return { kind: "under_way", flow: latest }
  }
}

async function confirmingOf(parts: ConsentParts, flow: Flow): Promise<Standing> {
  const connections = parts.storage.records(connectionKind)
  const before = flow.replaces === undefined ? undefined : await connections.get(flow.replaces)
  return {
    kind: "confirming",
    flow,
    ...(before?.account === undefined ? {} : { before: before.account }),
    ...(flow.account === undefined ? {} : { after: flow.account }),
  }
}

export async function departureOf(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
  browser: string | undefined,
): Promise<string | undefined> {
  const now = parts.tools.runtime.now()
  const flows = await flowsOf(parts, elicitation, visitor)
  const flow = flows.find(
    (attempt) => attempt.status === "consented" && attempt.expiresAt > now && isHashOf(browser, attempt.browser),
  )
  if (flow?.sealed === undefined) return undefined
  return parts.sealer.open(flowBinding(flow), flow.sealed).url
}
