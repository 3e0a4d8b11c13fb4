// Limits how often this process calls each method of a workspace, a little below Slack's rate limits, so that many
// replies at once share the limit. https://docs.slack.dev/apis/web-api/rate-limits

import type { Runtime } from "@holdpoint/hub"

export interface Pacer {
  /** Reserves one call. Returns 0 if the call may be made now, or the milliseconds to wait before the next try. */
  reserve(team: string, method: PacedMethod, channel: string): number
  /** Blocks calls for this time, because Slack answered with Retry-After. */
  block(team: string, method: PacedMethod, channel: string, forMs: number): void
}

interface Rule {
  readonly perMinute: number
  readonly burst: number
  readonly isByChannel?: boolean
}

/** Slack allows 20 (tier 2), 50 (tier 3) or 100 (tier 4) calls a minute, and one message a second to a channel. */
const rules = {
  "chat.startStream": { perMinute: 18, burst: 15 },
  "chat.stopStream": { perMinute: 18, burst: 15 },
  "chat.appendStream": { perMinute: 90, burst: 20 },
  "chat.postMessage": { perMinute: 54, burst: 5, isByChannel: true },
} as const satisfies Readonly<Record<string, Rule>>

export type PacedMethod = keyof typeof rules

/** A token bucket. */
interface Bucket {
  readonly tokens: number
  readonly updatedAt: number
  readonly blockedUntil: number
}

export function createPacer({ now }: Pick<Runtime, "now">): Pacer {
  const buckets = new Map<string, Bucket>()
  const keyOf = (team: string, method: PacedMethod, channel: string): string => {
    const { isByChannel = false }: Rule = rules[method]
    return isByChannel ? `${team} ${method} ${channel}` : `${team} ${method}`
  }
  return {
    reserve(team, method, channel) {
      const { perMinute, burst }: Rule = rules[method]
      const key = keyOf(team, method, channel)
      const time = now()
      const previous = buckets.get(key) ?? { tokens: burst, updatedAt: time, blockedUntil: 0 }
      if (time < previous.blockedUntil) return previous.blockedUntil - time
      const tokens = Math.min(burst, previous.tokens + (Math.max(0, time - previous.updatedAt) * perMinute) / 60_000)
      if (tokens < 1) return Math.ceil(((1 - tokens) / perMinute) * 60_000)
      buckets.set(key, { tokens: tokens - 1, updatedAt: time, blockedUntil: 0 })
      return 0
    },
    block(team, method, channel, forMs) {
      const blockedUntil = now() + forMs
      // One token after the block: further calls follow at the usual rate.
      buckets.set(keyOf(team, method, channel), { tokens: 1, updatedAt: blockedUntil, blockedUntil })
    },
  }
}
