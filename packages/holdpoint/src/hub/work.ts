// Work that goes on beside the callers: in the background, later, or under way while the hub closes. It knows nothing of
// questions.

import { HoldpointError } from "../core/error.ts"
import type { Runtime } from "../ports/runtime.ts"

export interface Work {
  /** Runs on its own; what it throws is reported. `close` waits for it. */
  background(doing: string, work: () => Promise<void>): void
  /** Keeps `close` waiting until the work is done, so that the storage is not closed under it. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** The same for what callers ask for, which is refused once the hub is closed. */
  whileOpen<T>(work: () => Promise<T>): Promise<T>
  isClosed(): boolean
  /** Tries something again after a while, unless the hub is closed by then. */
  later(delayMs: number, work: () => void): void
  /** Returns an unsubscribe function. */
  onClose(callback: () => void): () => void
  /** Calls back those who listen. What is under way goes on, and reports nothing. */
  close(): void
  /** Waits for what is under way, but not for ever: an outlet that never comes back must not keep a program alive. */
  drain(): Promise<void>
}

export type Report = (doing: string, error: unknown) => void

const patienceMs = 10_000

export function createWork({ runtime, report }: { readonly runtime: Runtime; readonly report: Report }): Work {
  const underWay = new Set<Promise<void>>()
  const closers = new Set<() => void>()
  let isClosed = false

  const drained = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  const work: Work = {
    background(doing, run) {
      const running = run()
        .catch((error: unknown) => {
          if (!isClosed) report(doing, error)
        })
        .finally(() => underWay.delete(running))
      underWay.add(running)
    },
    during(run) {
      const running = run()
      const done = running.then(
        () => {},
        () => {},
      )
      underWay.add(done)
      void done.finally(() => underWay.delete(done))
      return running
    },
    whileOpen: (run) => (isClosed ? Promise.reject(closedError()) : work.during(run)),
    isClosed: () => isClosed,
    later(delayMs, run) {
      const forget = work.onClose(
        runtime.after(delayMs, () => {
          forget()
          run()
        }),
      )
    },
    onClose(callback) {
      if (isClosed) callback()
      closers.add(callback)
      return () => closers.delete(callback)
    },
    close() {
      isClosed = true
      for (const closer of [...closers]) closer()
    },
    async drain() {
      const patience = new Promise<void>((resolve) => {
        const cancel = runtime.after(patienceMs, resolve)
        void drained().then(cancel)
      })
      await Promise.race([drained(), patience])
    },
  }
  return work
}

export const closedError = (): HoldpointError => new HoldpointError("closed", "The hub is closed.")
