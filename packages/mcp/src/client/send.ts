// Sends one request of a call as an effect of the run: its result is in the journal before anything relies on it.

import { givenUpSignal, pause } from "@holdpoint/calls/internal"
import { isHoldpointError } from "@holdpoint/hub"
import type { Attempt } from "./attempt.ts"
import { startStopwatch } from "./stopwatch.ts"
import type { ToolRequest, ToolResponse } from "./tool-response.ts"
import { sendToolRequest } from "./tool-response.ts"

/**
 * Sends the first request of a call. For a server of revision 2025-11-25, the call is only prepared, because it has to
 * stay open in this process.
 */
export function sendFirst(attempt: Attempt): Promise<ToolResponse> {
  return sendOnce(attempt, firstKey, { isFirst: true })
}

/** The journal's key for the effect of the first request. */
export const firstKey = "leg 0"

export interface OutgoingRequest extends Pick<ToolRequest, "requestState" | "inputResponses"> {
  /** Whether this is the first request of the call. For a server of revision 2025-11-25, it is prepared, not sent. */
  readonly isFirst?: boolean
  /** Whether a person is on a page of the server, so that the server may wait for them. */
  readonly isHeld?: boolean
  /** How long to wait before the request is sent. */
  readonly pauseMs?: number
  /** Called with the result inside the effect, before the journal stores the result. */
  readonly onSent?: (response: ToolResponse) => Promise<void>
}

export async function sendOnce(attempt: Attempt, key: string, outgoing: OutgoingRequest): Promise<ToolResponse> {
  const { ask } = attempt
  const repeatable = isRepeatable(attempt)
  const effect = async (): Promise<ToolResponse> => {
    const response = await send(attempt, outgoing)
    await outgoing.onSent?.(response)
    return response
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
async function send(attempt: Attempt, outgoing: OutgoingRequest): Promise<ToolResponse> {
  const { peer, ask } = attempt
  const signal = signalOf(attempt)
  if (outgoing.pauseMs !== undefined) await pause(peer.settings.runtime, outgoing.pauseMs, signal)
  const work = () =>
    peer.withConnection(ask, ({ client, era }) =>
      outgoing.isFirst === true && era === "legacy"
        ? prepare(attempt)
        : sendTimed(attempt, { client, outgoing, signal }),
    )
  const response = await work()
  if (response.kind === "lost") signal.throwIfAborted()
  return response.kind === "unreached" || (response.kind === "lost" && isRepeatable(attempt)) ? work() : response
}

const prepare = async ({ peer }: Attempt): Promise<ToolResponse> => ({
  kind: "push",
  upstream: peer.pushedCalls.prepare(),
})

interface TimedRequest {
  readonly client: Parameters<typeof sendToolRequest>[0]
  readonly outgoing: OutgoingRequest
  readonly signal: AbortSignal
}

async function sendTimed(attempt: Attempt, { client, outgoing, signal }: TimedRequest): Promise<ToolResponse> {
  const { peer, call } = attempt
  const { runtime, limits } = peer.settings
  const timeLimit = new AbortController()
  const stopwatch = startStopwatch(runtime, outgoing.isHeld === true ? limits.heldMs : limits.callMs, () =>
    timeLimit.abort(new Error("The server took too long.")),
  )
  const { requestState, inputResponses } = outgoing
  const request: ToolRequest = {
    ...{ name: call.name, arguments: call.arguments },
    ...(requestState === undefined ? {} : { requestState }),
    ...(inputResponses === undefined ? {} : { inputResponses }),
  }
  try {
    const tool = peer.toolOf(call.name)
    return await sendToolRequest(client, request, {
      signal: AbortSignal.any([signal, timeLimit.signal]),
      onProgress: call.onProgress,
      tool,
    })
  } finally {
    stopwatch.end()
  }
}

/**
 * Returns a signal that aborts when the call is cancelled. It does not abort when a person withdraws an answer, so a
 * request in progress then continues.
 */
export const signalOf = ({ ask, call }: Attempt): AbortSignal =>
  call.signal === undefined ? givenUpSignal(ask) : AbortSignal.any([givenUpSignal(ask), call.signal])
