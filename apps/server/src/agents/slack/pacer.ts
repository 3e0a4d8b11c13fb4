// How often this process calls each method of a workspace: a little less often than Slack allows, so that many replies
// at once share what there is. https://docs.slack.dev/apis/web-api/rate-limits

import type { Runtime } from "@holdpoint/sdk"

export interface Pacer {
  /** Takes a call. Returns 0, or after how many milliseconds to try again. */
  take(team: string, method: PacedMethod, channel: string): number
  /** Slack said to wait. */
  block(team: string, method: PacedMethod, channel: string, forMs: number): void
}

interface Rule {
  readonly perMinute: number
  readonly burst: number
  readonly isByChannel?: boolean
}

/** Slack's tiers are 20 (2), 50 (3) and 100 (4) calls a minute, and one message a second to a channel. */
const rules = {
  "chat.startStream": { perMinute: 18, burst: 15 },
  "chat.stopStream": { perMinute: 18, burst: 15 },
  "chat.appendStream": { perMinute: 90, burst: 20 },
  "chat.postMessage": { perMinute: 54, burst: 5, isByChannel: true },
} as const satisfies Readonly<Record<string, Rule>>

export type PacedMethod = keyof typeof rules

interface Bucket {
  readonly tokens: number
  readonly at: number
  readonly blockedUntil: number
}

export function createPacer({ now }: Pick<Runtime, "now">): Pacer {
  const buckets = new Map<string, Bucket>()
  const keyOf = (team: string, method: PacedMethod, channel: string): string => {
    const { isByChannel = false }: Rule = rules[method]
    return isByChannel ? `${team} ${method} ${channel}` : `${team} ${method}`
  }
  return {
    take(team, method, channel) {
      const { perMinute, burst }: Rule = rules[method]
      const key = keyOf(team, method, channel)
      const at = now()
      const before = buckets.get(key) ?? { tokens: burst, at, blockedUntil: 0 }
      if (at < before.blockedUntil) return before.blockedUntil - at
      const tokens = Math.min(burst, before.tokens + (Math.max(0, at - before.at) * perMinute) / 60_000)
      if (tokens < 1) return Math.ceil(((1 - tokens) / perMinute) * 60_000)
      buckets.set(key, { tokens: tokens - 1, at, blockedUntil: 0 })
      return 0
    },
    block(team, method, channel, forMs) {
      const at = now()
      // One call when the time is over: the others follow at the usual pace.
      buckets.set(keyOf(team, method, channel), { tokens: 1, at: at + forMs, blockedUntil: at + forMs })
    },
  }
}
