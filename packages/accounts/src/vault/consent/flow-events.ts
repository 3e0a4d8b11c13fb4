// What may happen to an attempt to connect an account: a table of events, the states in which each is allowed, and what
// it changes. Pure.

import type { Reason } from "@holdpoint/hub"
import type { Account } from "@holdpoint/hub/internal"
import type { Flow, FlowStatus } from "../records.ts"

export type FlowEvent =
  /** One request takes the provider's response. It has until `dueAt`. */
  | { readonly type: "take"; readonly dueAt: number }
  /** One process polls or finishes the flow. It has until `dueAt`. */
  | { readonly type: "claim"; readonly dueAt: number }
  /** Nothing is to be done until `dueAt`. */
  | { readonly type: "wait"; readonly dueAt: number }
  /** The grant is stored. Entered credentials have their account already. */
  | { readonly type: "keep"; readonly dueAt: number; readonly account?: Account | undefined }
  /** The provider has identified the account. */
  | { readonly type: "identify"; readonly account: Account; readonly isOwn?: boolean | undefined }
  /** The grant is going to be merged into this connection. */
  | { readonly type: "merge"; readonly into: string }
  /** The person has to confirm the account, until the flow expires. */
  | { readonly type: "ask"; readonly asks?: Flow["asks"] | undefined }
  /** The person confirmed the account, which is a second one: it replaces no connection. */
  | { readonly type: "confirm"; readonly dueAt: number }
  /** The connection is active. The flow is kept until `dueAt`, so that its page can show the result. */
  | { readonly type: "finish"; readonly dueAt: number; readonly connection: string }
  /** The attempt ends. Its asker is notified when it is due, unless the person has tried again. */
  | { readonly type: "fail"; readonly dueAt: number; readonly reason: Reason }

const open: readonly FlowStatus[] = ["consented", "exchanging", "exchanged", "confirming"]

/** The states in which each event is allowed. */
const allowedIn: Readonly<Record<FlowEvent["type"], readonly FlowStatus[]>> = {
  take: ["consented"],
  claim: ["consented", "exchanged"],
  wait: [...open, "failed", "finished"],
  keep: ["consented", "exchanging"],
  identify: ["exchanged"],
  merge: ["exchanged"],
  ask: ["exchanged"],
  confirm: ["confirming"],
  finish: ["exchanged"],
  fail: open,
}

/** The flow after the event, with its next version. Undefined when the event is not allowed in its state. */
export function transitionFlow(flow: Flow, event: FlowEvent): Flow | undefined {
  if (!allowedIn[event.type].includes(flow.status)) return undefined
  return { ...changed(flow, event), version: flow.version + 1 }
}

function changed(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case "take":
      return { ...flow, status: "exchanging", dueAt: event.dueAt }
    case "claim":
    case "wait":
      return { ...flow, dueAt: event.dueAt }
    case "keep": {
      const { dueAt, account = flow.account } = event
      return { ...withoutSecrets(flow), status: "exchanged", dueAt, account }
    }
    case "identify":
      return { ...flow, account: event.account, isOwn: event.isOwn }
    case "merge":
      return { ...flow, replaces: event.into }
    case "ask":
      return { ...flow, status: "confirming", dueAt: flow.expiresAt, asks: event.asks ?? flow.asks }
    case "confirm":
      return { ...flow, status: "exchanged", isConfirmed: true, dueAt: event.dueAt, replaces: undefined }
    case "finish":
      return { ...flow, status: "finished", dueAt: event.dueAt, connection: event.connection }
    case "fail":
      return { ...withoutSecrets(flow), status: "failed", reason: event.reason, dueAt: event.dueAt }
  }
}

/** The flow without its secrets, once they have been used. */
function withoutSecrets(flow: Flow): Flow {
  const { sealed: _sealed, ...rest } = flow
  return rest
}
