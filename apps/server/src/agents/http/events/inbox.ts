// The steps of a person's questions, each with the number of questions that are open after it, so that a badge needs no
// other request.

import type { Entry, Status } from "@holdpoint/sdk"
import { isHoldpointError } from "@holdpoint/sdk"
import { isShownTo, openQuestionsOf } from "../answer.ts"
import type { RunCaller } from "../callers.ts"
import type { ApiParts } from "../parts.ts"

/** `open` alone says how many are open now: at the beginning, and after too much was missed to repeat it. */
export interface InboxEvent {
  readonly open: number
  /** The id of the question, what happened to it, and its status since then. */
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
  /** The position after which the client has to be told of steps; none for a client that is new. */
  readonly after: number | undefined
  readonly signal: AbortSignal
}

/** The most entries of the trail that are read again for a client that comes back. */
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
