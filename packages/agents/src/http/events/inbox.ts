// The steps of a person's questions, each with the number of questions that are open afterwards, so that a badge needs
// no further request.

import type { Entry, Status } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { isShownTo, openQuestionsOf } from "../answer.ts"
import type { RunCaller } from "../callers.ts"
import type { ApiParts } from "../parts.ts"

/**
 * An event with only `open` states how many questions are open. It is the first event for a new client, and for one
 * that missed more events than are repeated.
 */
export interface InboxEvent {
  readonly open: number
  /** The id of the question, what happened to it, and its status afterwards. */
  readonly id?: string
  readonly kind?: Entry["kind"]
  readonly status?: Status
}

export interface InboxStep {
  readonly data: InboxEvent
  /** The position in the trail. */
  readonly position: number
}

export interface FollowedInbox {
  readonly caller: RunCaller
  /** The position in the trail after which the client needs steps; undefined for a new client. */
  readonly after: number | undefined
  readonly signal: AbortSignal
}

/** The maximum number of trail entries that are repeated for a client that reconnects. */
const mostRepeated = 2_000

export async function* followInbox(
  parts: ApiParts,
  { caller, after, signal }: FollowedInbox,
): AsyncGenerator<InboxStep> {
  const count = async (): Promise<number> => (await openQuestionsOf(parts, caller)).length
  const end = await parts.trail.end()
  const isRepeated = after !== undefined && end - after <= mostRepeated
  if (!isRepeated) yield { position: end, data: { open: await count() } }
  const afterPosition = isRepeated ? Math.min(after, end) : end
  try {
    for await (const step of parts.hub.watch({ principal: caller.principal, afterPosition }, { signal })) {
      if (!(await isShownTo(parts, caller, step))) continue
      const { id, kind, status, position } = step
      yield { position, data: { open: await count(), id, kind, status } }
    }
  } catch (error) {
    const isEnd = signal.aborted || (isHoldpointError(error) && error.code === "closed")
    if (!isEnd) throw error
  }
}
