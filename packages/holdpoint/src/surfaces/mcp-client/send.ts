// Sends one request of a call as an effect of the run: its result is in the journal before anything relies on it.

import { givenUpSignal } from "../../asking/on-behalf.ts"
import { pause } from "../../asking/pause.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { Attempt } from "./call.ts"
import type { Leg, LegRequest } from "./leg.ts"
import { sendLeg } from "./leg.ts"
import { startStopwatch } from "./stopwatch.ts"

/** Sends the first request; to a 2025 server it is only prepared, because its call has to stay open in this process. */
export function sendFirst(attempt: Attempt): Promise<Leg> {
  return sendOnce(attempt, firstKey, { first: true })
}

/** The key of the first request. */
export const firstKey = "leg 0"

export interface Sent extends Pick<LegRequest, "requestState" | "inputResponses"> {
  /** Whether the server may push questions, which is known with the first connection. */
  readonly first?: boolean
  /** Whether a person is on a page of the server, so that it may wait for them. */
  readonly isHeld?: boolean
  /** How long to wait before the request is sent. */
  readonly pauseMs?: number
  /** Called with the result, inside of the effect. */
  readonly onSent?: (leg: Leg) => Promise<void>
}

export async function sendOnce(attempt: Attempt, key: string, sent: Sent): Promise<Leg> {
  const { ask } = attempt
  const repeatable = isRepeatable(attempt)
  const effect = async (): Promise<Leg> => {
    const leg = await send(attempt, sent)
    await sent.onSent?.(leg)
    return leg
  }
  try {
    return await ask.once(key, effect, { repeatable })
  } catch (error) {
    if (isHoldpointError(error) && error.code === "effect_unknown") return { kind: "lost" }
    throw error
  }
}

/** Whether a request may be sent again when it is unknown whether it was carried out. */
export const isRepeatable = ({ peer, call: { annotations } }: Attempt): boolean =>
  peer.isInProcess || annotations?.readOnlyHint === true || annotations?.idempotentHint === true

/** Sends the request, and once more on another connection if it did not arrive, or if a second one does no harm. */
async function send(attempt: Attempt, sent: Sent): Promise<Leg> {
  const { peer, ask } = attempt
  const signal = signalOf(attempt)
  if (sent.pauseMs !== undefined) await pause(peer.settings.runtime, sent.pauseMs, signal)
  const work = () =>
    peer.onLine(ask, ({ client, era }) =>
      sent.first === true && era === "legacy" ? prepare(attempt) : sendTimed(attempt, { client, sent, signal }),
    )
  const leg = await work()
  if (leg.kind === "lost") signal.throwIfAborted()
  return leg.kind === "unreached" || (leg.kind === "lost" && isRepeatable(attempt)) ? work() : leg
}

const prepare = async ({ peer }: Attempt): Promise<Leg> => ({ kind: "push", upstream: peer.pushed.prepare() })

interface Timed {
  readonly client: Parameters<typeof sendLeg>[0]
  readonly sent: Sent
  readonly signal: AbortSignal
}

async function sendTimed(attempt: Attempt, { client, sent, signal }: Timed): Promise<Leg> {
  const { peer, call } = attempt
  const { runtime, limits } = peer.settings
  const over = new AbortController()
  const watch = startStopwatch(runtime, sent.isHeld === true ? limits.heldMs : limits.callMs, () =>
    over.abort(new Error("The server took too long.")),
  )
  const { requestState, inputResponses } = sent
  const request: LegRequest = {
    ...{ name: call.name, arguments: call.arguments },
    ...(requestState === undefined ? {} : { requestState }),
    ...(inputResponses === undefined ? {} : { inputResponses }),
  }
  try {
    const tool = peer.toolOf(call.name)
    return await sendLeg(client, request, {
      signal: AbortSignal.any([signal, over.signal]),
      onProgress: call.onProgress,
      tool,
    })
  } finally {
    watch.end()
  }
}

/**
 * Aborted when the call is given up. A person who takes back an answer stops requests that have not begun, and none that
 * has.
 */
export const signalOf = ({ ask, call }: Attempt): AbortSignal =>
  call.signal === undefined ? givenUpSignal(ask) : AbortSignal.any([givenUpSignal(ask), call.signal])
