// What can be said of an HTTP answer before anybody looks for something in it: whether it is one at all, whether it is
// JSON, and when to ask again. Nothing that was received is repeated.

import type { Reason } from "../core/elicitation.ts"
import { isHoldpointError } from "../core/error.ts"

/** The other side cannot or will not say now. */
export interface Unavailable {
  readonly kind: "unavailable"
  readonly reason: Reason
  readonly retryAfterMs?: number
}

/** Status 429 or 5xx: the provider cannot or will not say now. */
export function judgeAvailability(
  { status, headers }: Pick<Response, "status" | "headers">,
  now: number,
): Unavailable | undefined {
  if (status !== 429 && status < 500) return undefined
  const retryAfterMs = retryAfterOf(headers, now)
  const reason =
    status === 429
      ? { code: "throttled", message: "The provider wants fewer requests and has to be asked again later." }
      : { code: "provider_unavailable", message: `The provider answered with status ${status}.` }
  return { kind: "unavailable", reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** RFC 9110 §10.2.3: seconds or a date. A day is the longest that anybody is believed. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? ""
  const delay = /^\d+$/.test(value)
    ? Number(value) * 1000
    : value.endsWith(" GMT")
      ? Date.parse(value) - now
      : Number.NaN
  return Number.isNaN(delay) ? undefined : Math.min(Math.max(0, delay), dayMs)
}

const dayMs = 86_400_000

/** Why a request failed, in our own words only: nothing that the other side sent. */
export function toReason(error: unknown): Reason {
  return isHoldpointError(error)
    ? { code: error.code, message: error.message }
    : { code: "provider_unavailable", message: "The provider could not be reached, or its answer broke off." }
}

/** Undefined when it is no JSON. A connection that breaks is an error, whatever had arrived by then. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
