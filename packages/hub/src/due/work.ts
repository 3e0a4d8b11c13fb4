// Background work, delayed work, and work that `close` waits for. It knows nothing about questions.

import { HoldpointError } from "../core/error.ts"
import type { Runtime } from "../ports/runtime.ts"

export interface Work {
  /** Runs the work in the background and reports its errors. `drain` waits for it. */
  background(activity: string, work: () => Promise<void>): void
  /** Makes `drain` wait until the work is done, so that the storage is not closed too early. */
  track<T>(work: () => Promise<T>): Promise<T>
  /** Like `track`, for calls from outside, which are refused after the hub is closed. */
  whileOpen<T>(work: () => Promise<T>): Promise<T>
  isClosed(): boolean
  /** Runs the work after the delay, unless the hub is closed by then. */
  runLater(delayMs: number, work: () => void): void
  /** Returns an unsubscribe function. */
  onClose(callback: () => void): () => void
  /** Calls all `onClose` callbacks. Running work continues, but its errors are no longer reported. */
  close(): void
  /** Waits for running work, with a time limit: an outlet that never returns must not keep the program alive. */
  drain(): Promise<void>
}

export type Report = (activity: string, error: unknown) => void

const drainLimitMs = 10_000

/** Creates the background work of one part, such as a hub. */
export function createWork({ runtime, report }: { readonly runtime: Runtime; readonly report: Report }): Work {
  const runningWork = new Set<Promise<void>>()
  const closeCallbacks = new Set<() => void>()
  let isClosed = false

  const waitForAll = async (): Promise<void> => {
    while (runningWork.size > 0) await Promise.all(runningWork)
  }

  const work: Work = {
    background(activity, run) {
      const running = run()
        .catch((error: unknown) => {
          if (!isClosed) report(activity, error)
        })
        .finally(() => runningWork.delete(running))
      runningWork.add(running)
    },
    track(run) {
      const running = run()
      const forget = (): void => void runningWork.delete(settled)
      const settled: Promise<void> = running.then(forget, forget)
      runningWork.add(settled)
      return running
    },
    whileOpen: (run) => (isClosed ? Promise.reject(closedError()) : work.track(run)),
    isClosed: () => isClosed,
    runLater(delayMs, run) {
      const unsubscribe = work.onClose(
        runtime.after(delayMs, () => {
          unsubscribe()
          run()
        }),
      )
    },
    onClose(callback) {
      if (isClosed) callback()
      closeCallbacks.add(callback)
      return () => closeCallbacks.delete(callback)
    },
    close() {
      isClosed = true
      for (const callback of [...closeCallbacks]) callback()
    },
    async drain() {
      const drainLimit = new Promise<void>((resolve) => {
        const cancel = runtime.after(drainLimitMs, resolve)
        waitForAll().then(cancel, cancel)
      })
      await Promise.race([waitForAll(), drainLimit])
    },
  }
  return work
}

export const closedError = (): HoldpointError => new HoldpointError("closed", "The hub is closed.")
