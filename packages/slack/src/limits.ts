// Tracks Slack's rate limits. Each refused caller gets its own retry time, one second after the previous caller's, so
// that they do not all retry at once. https://docs.slack.dev/apis/web-api/rate-limits

import type { Runtime } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Json } from "./wire.ts"

export interface Limits {
  /** Throws `too_often` while Slack has asked to wait. */
  assertFree(method: string, args: Json): void
  /** Records that Slack asked to wait. Returns the error to throw. */
  note(method: string, args: Json, waitMs: number): HoldpointError
}

interface RateLimit {
  readonly until: number
  /** The retry time of the last refused caller. */
  readonly last: number
}

const spacingMs = 1_000

export function createLimits({ now }: Pick<Runtime, "now">): Limits {
  const rateLimits = new Map<string, RateLimit>()

  const refuse = (key: string, method: string, { until, last }: RateLimit): HoldpointError => {
    const at = Math.max(until, last + spacingMs)
    rateLimits.set(key, { until, last: at })
    const retryAfterMs = at - now()
    const words = `Slack asks to wait ${Math.ceil(retryAfterMs / 1_000)} s before ${method} is called again.`
    return new HoldpointError("too_often", words, { retryAfterMs })
  }

  return {
    assertFree(method, args) {
      const key = keyOf(method, args)
      const limit = rateLimits.get(key)
      if (limit === undefined) return
      if (now() < limit.until) throw refuse(key, method, limit)
      if (now() > limit.last) rateLimits.delete(key)
    },
    note(method, args, waitMs) {
      const key = keyOf(method, args)
      const limit = rateLimits.get(key)
      return refuse(key, method, { until: Math.max(now() + waitMs, limit?.until ?? 0), last: limit?.last ?? 0 })
    },
  }
}

/** The key of a limit: Slack limits messages for each conversation, and other calls for each method. */
const keyOf = (method: string, { channel }: Json): string =>
  method === "chat.postMessage" ? `${method} ${String(channel)}` : method
