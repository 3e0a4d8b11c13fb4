// A time by which work with a provider has to be done: whatever it still fetches then is cut off. The tools stay the same
// object, because what was discovered with them is remembered with them.

import { AsyncLocalStorage } from "node:async_hooks"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"

const deadline = new AsyncLocalStorage<AbortSignal>()

/** The same fetch, bound to the deadline of the work it is called in. */
export function withDeadlines(fetch: Fetch): Fetch {
  return (input, init) => {
    const signals = [init?.signal, deadline.getStore()].filter((signal) => signal != null)
    return signals.length === 0 ? fetch(input, init) : fetch(input, { ...init, signal: AbortSignal.any(signals) })
  }
}

export async function within<T>(runtime: Runtime, ms: number, work: () => Promise<T>): Promise<T> {
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
