// How often each method may be called. https://docs.slack.dev/apis/web-api/rate-limits
// Slack documents calls per minute and "some bursts"; here a method may be called as often at once as in a minute, and
// at least ten times.

import type { Clock } from "./clock.ts"

const tiers = { 1: 1, 2: 20, 3: 50, 4: 100 } as const

const tierOf: Readonly<Record<string, keyof typeof tiers>> = {
  "apps.connections.open": 1,
  "auth.test": 4,
  "chat.appendStream": 4,
  "chat.delete": 3,
  "chat.getPermalink": 4,
  "chat.postEphemeral": 4,
  "chat.startStream": 2,
  "chat.stopStream": 2,
  "chat.update": 3,
  "conversations.history": 3,
  "conversations.info": 3,
  "conversations.open": 3,
  "conversations.replies": 3,
  "team.info": 3,
  "users.info": 4,
  "users.lookupByEmail": 3,
  "views.open": 4,
  "views.update": 4,
}

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Counts calls, and returns after how many seconds a refused call may be retried. */
export interface RateLimits {
  take(team: string, method: string, channel: string | undefined): number | undefined
}

export function createRateLimits(clock: Clock): RateLimits {
  const buckets = new Map<string, Bucket>()
  return {
    take(team, method, channel) {
      const { perMinute, burst, key } = ruleOf(method, channel)
      const name = `${team} ${key}`
      const now = clock.now()
      const before = buckets.get(name) ?? { tokens: burst, at: now }
      const tokens = Math.min(burst, before.tokens + ((now - before.at) / 60_000) * perMinute)
      buckets.set(name, { tokens: tokens < 1 ? tokens : tokens - 1, at: now })
      return tokens < 1 ? Math.max(1, Math.ceil(((1 - tokens) / perMinute) * 60)) : undefined
    },
  }
}

interface Rule {
  readonly perMinute: number
  readonly burst: number
  readonly key: string
}

function ruleOf(method: string, channel: string | undefined): Rule {
  // One message a second to a channel, with short bursts.
  if (method === "chat.postMessage") return { perMinute: 60, burst: 10, key: `${method} ${channel}` }
  if (method === "assistant.threads.setStatus") return { perMinute: 600, burst: 600, key: method }
  const perMinute = tiers[tierOf[method] ?? 3]
  return { perMinute, burst: Math.max(perMinute, 10), key: method }
}
