// Waiting until the person or the machine wants a command to end.

export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/** What takes long to begin keeps nobody who wants it to end. */
export function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const end = stopped(signal).then((): never => {
    throw signal.reason
  })
  return Promise.race([work, end])
}
