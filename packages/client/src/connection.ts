// One connection for reading a stream, and the check whether a failed connection may be retried.

import { ClientError } from "./error.ts"

/** The server sends at least a heartbeat every 15 s. After this time without data, the connection counts as lost. */
const silenceMs = 50_000

export interface Connection {
  readonly signal: AbortSignal
  /** Called when any data has arrived. */
  readonly onData: () => void
  readonly close: () => void
}

/** Creates a connection that ends when its user aborts it, or when no data arrives for too long. */
export function createConnection(readerSignal: AbortSignal | undefined): Connection {
  const controller = new AbortController()
  const leave = (): void => controller.abort(readerSignal?.reason)
  const watch = (): ReturnType<typeof setTimeout> => setTimeout(() => controller.abort(), silenceMs)
  let timer = watch()
  if (readerSignal?.aborted === true) leave()
  readerSignal?.addEventListener("abort", leave)
  return {
    signal: controller.signal,
    onData() {
      clearTimeout(timer)
      timer = watch()
    },
    close() {
      clearTimeout(timer)
      readerSignal?.removeEventListener("abort", leave)
      controller.abort()
    },
  }
}

/** Waits for `ms`. Rejects with the signal's reason when it aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave)
      resolve()
    }, ms)
    if (signal?.aborted === true) leave()
    else signal?.addEventListener("abort", leave, { once: true })
  })
}

/** Whether the error is temporary, so that the same request may succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === undefined || error.status === 429 || error.status >= 500)
