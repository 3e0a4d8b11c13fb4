// The time limit of one delivery attempt, which is shorter than the attempt's lease.

import { attemptMs } from "../../core/delivery.ts"
import type { Runtime } from "../../ports/runtime.ts"

/** Runs the work with a time limit. Rejects when the limit is reached, even if the work ignores its signal. */
export async function withTimeLimit<T>(runtime: Runtime, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { promise: timeLimit, reject } = Promise.withResolvers<never>()
  const cancel = runtime.after(attemptMs, () => {
    const error = new Error(`It took longer than ${attemptMs / 1_000} s.`)
    controller.abort(error)
    reject(error)
  })
  try {
    return await Promise.race([work(controller.signal), timeLimit])
  } finally {
    cancel()
  }
}
