// First judgement of an HTTP response: whether the server is available, whether the body is JSON, when to retry.
// Reasons never contain received text.

import type { Reason } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"

/** The judgement that the server cannot answer now, with the delay that it asks for before a retry. */
export interface Unavailable {
  readonly kind: "unavailable"
  readonly reason: Reason
  readonly retryAfterMs?: number
}

/** Returns `unavailable` for status 429 or 5xx. */
export function judgeAvailability(
  { status, headers }: Pick<Response, "status" | "headers">,
  now: number,
): Unavailable | undefined {
  if (status !== 429 && status < 500) return undefined
  const retryAfterMs = retryAfterOf(headers, now)
  const reason =
    status === 429
      ? { code: "throttled", message: "The provider is limiting requests. Try again later." }
      : { code: "provider_unavailable", message: `The provider answered with status ${status}.` }
  return { kind: "unavailable", reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

/** The delay of Retry-After (RFC 9110 §10.2.3: seconds or a date), at most one day; undefined without a valid one. */
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

/** Why a request failed, without any text that the other side sent. */
export function toReason(error: unknown): Reason {
  return isHoldpointError(error)
    ? { code: error.code, message: error.message }
    : { code: "provider_unavailable", message: "The provider could not be reached, or its response was cut off." }
}

/** The parsed body; undefined when it is not JSON. Throws when the connection breaks off. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
