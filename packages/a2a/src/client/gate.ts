// The gate for everything that an agent sends: each response and each event of a stream is limited in size, depth and
// number of values before a parser reads it, and has to be complete in time.

import { fetchError, readText } from "@holdpoint/fetching/internal"
import { HoldpointError } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { exceededBy } from "@holdpoint/hub/internal"
import { createEventGate } from "./event-gate.ts"
import { agentLimits } from "./limits.ts"

/** Why a response was not read, as the cause of an error. */
export interface Excess {
  readonly excess: string
}

export const isExcess = (cause: unknown): cause is Excess =>
  typeof cause === "object" && cause !== null && "excess" in cause && typeof cause.excess === "string"

/** The error for a response above a limit. `problem` is the clause that completes “it was not read: …”. */
export const excessError = (problem: string): HoldpointError =>
  new HoldpointError("provider_refused", `The response was not read: ${problem}.`, { cause: { excess: problem } })

const inMegabytes = (bytes: number): string => `it is larger than ${bytes / 1_000_000} MB`

/** Why a JSON text is not parsed. */
export function excessOf(json: string): string | undefined {
  const exceeded = exceededBy(json, agentLimits)
  if (exceeded === undefined) return undefined
  return exceeded === "levels"
    ? `it is nested more than ${agentLimits.levels} levels deep`
    : `it has more than ${agentLimits.values} values`
}

export interface GateOptions {
  /** The time for a complete response, or for the first event of a stream. */
  readonly timeoutMs: number
  readonly mostBytes?: number
}

/** Limits the responses of a fetch. A response above a limit is read no further. */
export const limitResponses =
  (fetch: Fetch, { timeoutMs, mostBytes = agentLimits.bytes }: GateOptions): Fetch =>
  async (to, init = {}) => {
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(fetchError("timeout", `There was no complete answer within ${timeoutMs} ms. Try again later.`)),
      timeoutMs,
    )
    // A response that is not read must not keep the process alive.
    timer.unref()
    const stop = (): void => clearTimeout(timer)
    try {
      const signal = init.signal == null ? late.signal : AbortSignal.any([init.signal, late.signal])
      const response = await fetch(to, { timeoutMs, ...init, signal })
      const { body, headers, status } = response
      if (body !== null && headers.get("content-type")?.startsWith("text/event-stream") === true)
        return new Response(body.pipeThrough(eventsOf(stop)), { status, headers: withoutLength(headers) })
      const text = await readText(response, mostBytes)
      stop()
      if (text === undefined) {
        await body?.cancel().catch(() => {})
        throw excessError(inMegabytes(mostBytes))
      }
      const problem = excessOf(text)
      if (problem !== undefined) throw excessError(problem)
      return new Response(text === "" ? null : text, { status, headers: withoutLength(headers) })
    } catch (error) {
      stop()
      throw late.signal.aborted ? late.signal.reason : error
    }
  }

const eventsOf = (onFirst: () => void) =>
  createEventGate({
    mostBytes: agentLimits.bytes,
    onFirst,
    errorOf: (json) => {
      const problem = json === undefined ? inMegabytes(agentLimits.bytes) : excessOf(json)
      return problem === undefined ? undefined : excessError(problem)
    },
  })

/** The body was decoded, and may be shorter than declared. */
function withoutLength(headers: Headers): Headers {
  const others = new Headers(headers)
  others.delete("content-length")
  others.delete("content-encoding")
  return others
}
