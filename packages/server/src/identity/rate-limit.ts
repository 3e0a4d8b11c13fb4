// A rate limit per minute, in the memory of each process.

import type { Runtime } from "@holdpoint/hub"

/** Returns a function that is true when it was called more than `perMinute` times in the last minute. */
export function createRateLimit(perMinute: number, runtime: Runtime): () => boolean {
  let times: number[] = []
  return () => {
    const now = runtime.now()
    times = times.filter((time) => now - time < 60_000)
    if (times.length >= perMinute) return true
    times.push(now)
    return false
  }
}
