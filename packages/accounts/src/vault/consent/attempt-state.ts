// The state of a person's attempt, for a page that is reopened, reloaded or returned to.

import type { Elicitation, Reason } from "@holdpoint/hub"
import type { Account, Connection } from "@holdpoint/hub/internal"
import { isHashOf } from "@holdpoint/hub/internal"
import type { Flow } from "../records.ts"
import { connectionKind } from "../records.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { flowBinding, flowsOf } from "./flows.ts"

export type AttemptState =
  /** The person can begin, or begin again: `failure` says why the last attempt ended, and until when they can retry. */
  | { readonly kind: "ready"; readonly failure?: { readonly reason: Reason; readonly until: number } }
  /** The person is at the provider, or its response is being processed. */
  | { readonly kind: "under_way"; readonly flow: Flow }
  | {
      readonly kind: "confirming"
      readonly flow: Flow
      readonly previousAccount?: Account
      readonly newAccount?: Account
    }
  | { readonly kind: "connected"; readonly connection: Connection }

export async function attemptStateOf(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
): Promise<AttemptState> {
  const flows = await flowsOf(parts, elicitation, visitor)
  const finishedFlow = flows.find(({ status }) => status === "finished")
  if (finishedFlow !== undefined) {
    const connection = await parts.storage.records(connectionKind).get(finishedFlow.connection)
    if (connection !== undefined) return { kind: "connected", connection }
  }
  const [latestFlow] = flows
  if (latestFlow === undefined) return { kind: "ready" }
  switch (latestFlow.status) {
    case "failed":
      return latestFlow.reason === undefined
        ? { kind: "ready" }
        : { kind: "ready", failure: { reason: latestFlow.reason, until: latestFlow.dueAt } }
    case "confirming":
      return confirmingState(parts, latestFlow)
    case "consented":
      // A person who returns from an OAuth provider without a response may begin again; a login flow continues by
      // itself.
      return latestFlow.kind === "oauth" || latestFlow.expiresAt <= parts.tools.runtime.now()
        ? { kind: "ready" }
        : { kind: "under_way", flow: latestFlow }
    default:
      return { kind: "under_way", flow: latestFlow }
  }
}

async function confirmingState(parts: ConsentParts, flow: Flow): Promise<AttemptState> {
  const connections = parts.storage.records(connectionKind)
  const previousConnection = flow.replaces === undefined ? undefined : await connections.get(flow.replaces)
  return {
    kind: "confirming",
    flow,
    ...(previousConnection?.account === undefined ? {} : { previousAccount: previousConnection.account }),
    ...(flow.account === undefined ? {} : { newAccount: flow.account }),
  }
}

export async function departureUrlOf(
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
