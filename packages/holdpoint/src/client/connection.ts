// One connection on which a stream is read, and whether another one may take its place.

import { ClientError } from "./error.ts"

/** The server sends something every 15 s. After this time without anything, the connection counts as lost. */
const silenceMs = 50_000

export interface Connection {
  readonly signal: AbortSignal
  /** Something has arrived. */
  readonly hear: () => void
  readonly close: () => void
}

/** A connection that ends when the reader leaves, or when it is silent for too long. */
export function createConnection(reader: AbortSignal | undefined): Connection {
  const controller = new AbortController()
  const leave = (): void => controller.abort(reader?.reason)
  const watch = (): ReturnType<typeof setTimeout> => setTimeout(() => controller.abort(), silenceMs)
  let timer = watch()
  if (reader?.aborted === true) leave()
  reader?.addEventListener("abort", leave)
  return {
    signal: controller.signal,
    hear() {
      clearTimeout(timer)
      timer = watch()
    },
    close() {
      clearTimeout(timer)
      reader?.removeEventListener("abort", leave)
      controller.abort()
    },
  }
}

/** Resolves after this time. Rejects when the reader leaves. */
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

/** Whether the same request may succeed a little later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ClientError && (error.status === undefined || error.status === 429 || error.status >= 500)
