// A deadline for work with a provider, at which the work's requests are aborted. Kept in async context, because
// discovery is cached by the `OAuthTools` object that has the fetch: a new object for each call would miss the cache.

import { AsyncLocalStorage } from "node:async_hooks"
import type { Runtime } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"

const deadline = new AsyncLocalStorage<AbortSignal>()

/** A fetch that is aborted at the deadline of the surrounding `runWithDeadline`. */
export function withDeadlines(fetch: Fetch): Fetch {
  return (input, init) => {
    const signals = [init?.signal, deadline.getStore()].filter((signal) => signal != null)
    return signals.length === 0 ? fetch(input, init) : fetch(input, { ...init, signal: AbortSignal.any(signals) })
  }
}

export async function runWithDeadline<T>(runtime: Runtime, ms: number, work: () => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const cancel = runtime.after(ms, () => {
    controller.abort(new DOMException("The provider took too long.", "TimeoutError"))
  })
  try {
    return await deadline.run(controller.signal, work)
  } finally {
    cancel()
  }
}
