// Writes to the log of a run how its requests to connect accounts ended. The carrier cannot do this: a resumed run that
// finds the account connected does not ask again, so the carrier is not called.

import type { Asking } from "@holdpoint/calls"
import type { Elicitation, Principal } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import { toOwner } from "@holdpoint/hub/internal"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { toStreamEvent } from "@holdpoint/hub/stream"
import type { Chunk, RunLog } from "./run-log.ts"

export interface AccountEndsParts {
  readonly asking: Pick<Asking, "hub" | "vault">
  readonly person: Principal
  readonly log: RunLog
  /** The chunks of the log so far. */
  readonly chunks: readonly Chunk[]
}

export async function logAccountRequestEnds(parts: AccountEndsParts): Promise<void> {
  const { asking, log, chunks } = parts
  for (const event of openAccountRequests(chunks)) {
    const elicitation = await asking.hub.get(event.elicitationId)
    if (elicitation === undefined || !isSettled(elicitation.status)) continue
    const account = elicitation.status === "completed" ? await accountNameOf(parts, elicitation) : undefined
    const context = { ...event.context, ...(account === undefined ? {} : { account }) }
    log.add({ type: "data-elicitation", id: elicitation.id, data: { ...toStreamEvent(elicitation), context } })
    await log.flush()
  }
}

/** Returns the latest event of each request to connect an account that has no end in the log. */
function openAccountRequests(chunks: readonly Chunk[]): readonly StreamEvent[] {
  const lastEvents = new Map<string, StreamEvent>()
  for (const chunk of chunks) {
    if (chunk.type !== "data-elicitation") continue
    const event = chunk.data as StreamEvent
    lastEvents.set(event.elicitationId, event)
  }
  return [...lastEvents.values()].filter(
    ({ type, context }) => type === "elicitation-request" && context.trigger === "credential_required",
  )
}

/** The name, or else the id, of the person's active account at the provider. Undefined if there is not exactly one. */
async function accountNameOf(
  { asking, person }: AccountEndsParts,
  { context }: Elicitation,
): Promise<string | undefined> {
  const connections = (await asking.vault?.list(toOwner(person))) ?? []
  const [account, secondAccount] = connections.filter(
    ({ provider, status }) => provider === context.provider && status === "active",
  )
  return secondAccount === undefined ? (account?.account?.name ?? account?.account?.id) : undefined
}
