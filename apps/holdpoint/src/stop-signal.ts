// Waits for the signal that ends a command.

export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/** Rejects when the signal aborts, so that slow work does not delay the end of a command. */
export function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const end = stopped(signal).then((): never => {
    throw signal.reason
  })
  return Promise.race([work, end])
}
