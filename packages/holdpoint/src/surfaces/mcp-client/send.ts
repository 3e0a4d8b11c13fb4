// Sends one request of a call as an effect of the run: its result is in the journal before anything relies on it.

import { givenUpSignal } from "../../asking/on-behalf.ts"
import { pause } from "../../asking/pause.ts"
import { isHoldpointError } from "../../core/error.ts"
import type { Attempt } from "./call.ts"
import type { Leg, LegRequest } from "./leg.ts"
import { sendLeg } from "./leg.ts"
import { startStopwatch } from "./stopwatch.ts"

/**
 * Sends the first request. For a server of 2025, the call is only prepared, because it must stay open in this process.
 */
export function sendFirst(attempt: Attempt): Promise<Leg> {
  return sendOnce(attempt, firstKey, { first: true })
}

/** The key of the first request. */
export const firstKey = "leg 0"

export interface OutgoingRequest extends Pick<LegRequest, "requestState" | "inputResponses"> {
  /** Whether this is the first request of the call. A server of 2025 then pushes its questions during the call. */
  readonly first?: boolean
  /** Whether a person is on a page of the server, so that the server may wait for them. */
  readonly isHeld?: boolean
  /** How long to wait before the request is sent. */
  readonly pauseMs?: number
  /** Called with the result, inside the effect. */
  readonly onSent?: (leg: Leg) => Promise<void>
}

export async function sendOnce(attempt: Attempt, key: string, outgoing: OutgoingRequest): Promise<Leg> {
  const { ask } = attempt
  const repeatable = isRepeatable(attempt)
  const effect = async (): Promise<Leg> => {
    const leg = await send(attempt, outgoing)
    await outgoing.onSent?.(leg)
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

/**
 * Sends the request. Sends it once more on another connection if it did not arrive, or if its result was lost and the
 * tool allows a repeat.
 */
async function send(attempt: Attempt, outgoing: OutgoingRequest): Promise<Leg> {
  const { peer, ask } = attempt
  const signal = signalOf(attempt)
  if (outgoing.pauseMs !== undefined) await pause(peer.settings.runtime, outgoing.pauseMs, signal)
  const work = () =>
    peer.withConnection(ask, ({ client, era }) =>
      outgoing.first === true && era === "legacy" ? prepare(attempt) : sendTimed(attempt, { client, outgoing, signal }),
    )
  const leg = await work()
  if (leg.kind === "lost") signal.throwIfAborted()
  return leg.kind === "unreached" || (leg.kind === "lost" && isRepeatable(attempt)) ? work() : leg
}

const prepare = async ({ peer }: Attempt): Promise<Leg> => ({ kind: "push", upstream: peer.pushed.prepare() })

interface TimedRequest {
  readonly client: Parameters<typeof sendLeg>[0]
  readonly outgoing: OutgoingRequest
  readonly signal: AbortSignal
}

async function sendTimed(attempt: Attempt, { client, outgoing, signal }: TimedRequest): Promise<Leg> {
  const { peer, call } = attempt
  const { runtime, limits } = peer.settings
  const timeLimit = new AbortController()
  const watch = startStopwatch(runtime, outgoing.isHeld === true ? limits.heldMs : limits.callMs, () =>
    timeLimit.abort(new Error("The server took too long.")),
  )
  const { requestState, inputResponses } = outgoing
  const request: LegRequest = {
    ...{ name: call.name, arguments: call.arguments },
    ...(requestState === undefined ? {} : { requestState }),
    ...(inputResponses === undefined ? {} : { inputResponses }),
  }
  try {
    const tool = peer.toolOf(call.name)
    return await sendLeg(client, request, {
      signal: AbortSignal.any([signal, timeLimit.signal]),
      onProgress: call.onProgress,
      tool,
    })
  } finally {
    watch.end()
  }
}

/**
 * Aborted when the call is cancelled. A person who withdraws an answer stops requests that have not begun, but not a
 * request in progress.
 */
export const signalOf = ({ ask, call }: Attempt): AbortSignal =>
  call.signal === undefined ? givenUpSignal(ask) : AbortSignal.any([givenUpSignal(ask), call.signal])
