// An attempt has a time limit, shorter than the lease it is made under.

import { attemptMs } from "../../core/delivery.ts"
import type { Runtime } from "../../ports/runtime.ts"

/** Rejects when the time is over, whether or not the work heeds its signal. */
export async function within<T>(runtime: Runtime, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const cancel = runtime.after(attemptMs, () => {
    const error = new Error(`It took longer than ${attemptMs / 1_000} s.`)
    controller.abort(error)
    reject(error)
  })
  try {
    return await Promise.race([work(controller.signal), tooLong])
  } finally {
    cancel()
  }
}
