// Tells in the stream of a run how its requests for accounts ended. The carrier does not hear of it: once the account is
// there, a run that goes on does not ask for it again.

import type { Elicitation, Principal } from "@holdpoint/sdk"
import { isSettled } from "@holdpoint/sdk"
import type { Asking } from "@holdpoint/sdk/asking"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { toStreamEvent } from "@holdpoint/sdk/stream"
import { toOwner } from "@holdpoint/sdk/vault"
import type { Chunk, RunLog } from "./run-log.ts"

export interface AccountEndsParts {
  readonly asking: Pick<Asking, "hub" | "vault">
  readonly person: Principal
  readonly log: RunLog
  /** What the stream has told so far. */
  readonly told: readonly Chunk[]
}

export async function tellAccountEnds(parts: AccountEndsParts): Promise<void> {
  const { asking, log, told } = parts
  for (const event of openAccounts(told)) {
    const elicitation = await asking.hub.get(event.elicitationId)
    if (elicitation === undefined || !isSettled(elicitation.status)) continue
    const account = elicitation.status === "completed" ? await accountOf(parts, elicitation) : undefined
    const context = { ...event.context, ...(account === undefined ? {} : { account }) }
    log.add({ type: "data-elicitation", id: elicitation.id, data: { ...toStreamEvent(elicitation), context } })
    await log.flush()
  }
}

/** The requests for accounts whose end was not told, each as it was told last. */
function openAccounts(told: readonly Chunk[]): readonly StreamEvent[] {
  const last = new Map<string, StreamEvent>()
  for (const chunk of told) {
    if (chunk.type !== "data-elicitation") continue
    const event = chunk.data as StreamEvent
    last.set(event.elicitationId, event)
  }
  return [...last.values()].filter(
    ({ type, context }) => type === "elicitation-request" && context.trigger === "credential_required",
  )
}

/** The name of the account that the person connected. Undefined when they have several there. */
async function accountOf({ asking, person }: AccountEndsParts, { context }: Elicitation): Promise<string | undefined> {
  const all = (await asking.vault?.list(toOwner(person))) ?? []
  const [account, another] = all.filter(({ provider, status }) => provider === context.provider && status === "active")
  return another === undefined ? (account?.account?.name ?? account?.account?.id) : undefined
}
