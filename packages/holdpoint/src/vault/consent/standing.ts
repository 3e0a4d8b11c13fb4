// How far a person's attempt has come: what a page that is opened again, refreshed or gone back to has to show.

import type { Account, Connection } from "../../core/connection.ts"
import type { Elicitation, Reason } from "../../core/elicitation.ts"
import { isHashOf } from "../../sealing/hash.ts"
import type { Flow } from "../records.ts"
import { connectionKind } from "../records.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { flowBinding, flowsOf } from "./flows.ts"

export type Standing =
  /** Nothing was begun, or what was begun can be begun anew: why the last attempt ended, and until when. */
  | { readonly kind: "ready"; readonly failed?: { readonly reason: Reason; readonly until: number } }
  /** The person is at the provider, or its answer is being worked on. */
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
      // Whoever comes back from the provider without an answer may begin anew; a login flow goes on by itself.
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
    (known) => known.status === "consented" && known.expiresAt > now && isHashOf(browser, known.browser),
  )
  if (flow?.sealed === undefined) return undefined
  return parts.sealer.open(flowBinding(flow), flow.sealed).url
}
