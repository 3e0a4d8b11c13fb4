// Calls that wait because Slack said so. Each caller that is refused gets its own later time, one second after the
// one before, so that they do not all come back at once. https://docs.slack.dev/apis/web-api/rate-limits

import { HoldpointError } from "../../core/error.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Json } from "./wire.ts"

export interface Limits {
  /** Throws `too_often` while Slack has asked to wait. */
  assertFree(method: string, args: Json): void
  /** Remembers that Slack asked to wait; returns the error to throw. */
  note(method: string, args: Json, waitMs: number): HoldpointError
}

interface Closed {
  readonly until: number
  /** When the last refused caller was told to come back. */
  readonly last: number
}

const spacingMs = 1_000

export function createLimits({ now }: Pick<Runtime, "now">): Limits {
  const closed = new Map<string, Closed>()

  const refuse = (key: string, method: string, { until, last }: Closed): HoldpointError => {
    const at = Math.max(until, last + spacingMs)
    closed.set(key, { until, last: at })
    const retryAfterMs = at - now()
    const words = `Slack asks to wait ${Math.ceil(retryAfterMs / 1_000)} s before ${method} is called again.`
    return new HoldpointError("too_often", words, { retryAfterMs })
  }

  return {
    assertFree(method, args) {
      const key = keyOf(method, args)
      const limit = closed.get(key)
      if (limit === undefined) return
      if (now() < limit.until) throw refuse(key, method, limit)
      if (now() > limit.last) closed.delete(key)
    },
    note(method, args, waitMs) {
      const key = keyOf(method, args)
      const limit = closed.get(key)
      return refuse(key, method, { until: Math.max(now() + waitMs, limit?.until ?? 0), last: limit?.last ?? 0 })
    },
  }
}

/** Messages are limited by conversation, everything else by method. */
const keyOf = (method: string, { channel }: Json): string =>
  method === "chat.postMessage" ? `${method} ${String(channel)}` : method
