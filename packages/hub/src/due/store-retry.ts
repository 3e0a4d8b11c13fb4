// Repeats work while the storage fails, with growing delays, until this process closes.

import { isStoreFailure } from "../core/error.ts"
import type { Runtime } from "../ports/runtime.ts"

export interface RetryParts {
  readonly runtime: Pick<Runtime, "after">
  /** Aborts when this process closes: work that fails then is not repeated. */
  readonly closing: AbortSignal
}

const firstDelayMs = 100
const lastDelayMs = 10_000

/** Waits before the next attempt, longer after each failure. Ends early when the process closes, or `signal` aborts. */
export function waitAfter({ runtime, closing }: RetryParts, failures: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      for (const one of signals) one.removeEventListener("abort", end)
      resolve()
    }
    const signals = signal === undefined ? [closing] : [closing, signal]
    const cancel = runtime.after(Math.min(firstDelayMs * 2 ** failures, lastDelayMs), end)
    for (const one of signals) one.addEventListener("abort", end)
    if (signals.some(({ aborted }) => aborted)) end()
  })
}

/** How often the storage may fail before a request that has begun nothing is refused: for about three seconds. */
export const mostFailures = 5

/**
 * Does the work, again and again while the storage fails. Rejects with any other error, when the process closes, and
 * after `most` failures.
 */
export async function untilStored<T>(
  parts: RetryParts,
  work: () => Promise<T>,
  most = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      if (!isStoreFailure(error) || parts.closing.aborted || failures >= most) throw error
    }
    await waitAfter(parts, failures)
  }
}
