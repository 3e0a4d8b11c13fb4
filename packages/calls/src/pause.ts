// A delay that a signal can abort, for calls that work for another program.

import type { Runtime } from "@holdpoint/hub"

/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export function pause({ after }: Pick<Runtime, "after">, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      cancel()
      reject(signal.reason)
    }
    const cancel = after(ms, () => {
      signal.removeEventListener("abort", onAbort)
      resolve()
    })
    signal.addEventListener("abort", onAbort, { once: true })
  })
}
