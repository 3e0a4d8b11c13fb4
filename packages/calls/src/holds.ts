// Holds requests open while a person acts, each for the same time. Holds end in the order in which they began, so one
// timer is enough.

import type { Runtime } from "@holdpoint/hub"

export interface Holds {
  /**
   * Begins a hold. Calls back when the hold time is over or all holds are closed. Returns a function that releases the
   * hold.
   */
  begin(onEnd: () => void, call?: object): () => void
  /** Holds a request without a time limit. Calls its `onEnd` on `close`, unless the hold was released before. */
  holdUntilClose(hold: Hold): void
  release(hold: Hold): void
  /** Registers the request that works on a call and may be held, so that `close` waits for its answer. */
  setPendingAnswer(call: object, request: PendingAnswer): void
  /** Ends all holds. Resolves when the held requests are answered. */
  close(): Promise<void>
}

export interface PendingAnswer {
  readonly answer?: Promise<unknown>
}

/** A held request. An object with a method instead of a closure, to save memory: many requests are held at once. */
export interface Hold {
  readonly call: object | undefined
  onEnd(): void
}

export const defaultHoldMs = 45_000

export function createHolds(runtime: Runtime, holdMs = defaultHoldMs): Holds {
  const holds = new Set<Hold & { readonly endsAt: number }>()
  const untimedHolds = new Set<Hold>()
  const pendingAnswers = new WeakMap<object, PendingAnswer>()
  let cancel: (() => void) | undefined

  const endDue = (): void => {
    cancel = undefined
    const now = runtime.now()
    for (const hold of holds) {
      if (hold.endsAt > now) break
      holds.delete(hold)
      hold.onEnd()
    }
    arm()
  }
  const arm = (): void => {
    const [nextHold] = holds
    if (nextHold !== undefined) cancel ??= runtime.after(Math.max(nextHold.endsAt - runtime.now(), 1), endDue)
  }

  return {
    begin(onEnd, call) {
      const hold = { endsAt: runtime.now() + holdMs, onEnd, call }
      holds.add(hold)
      arm()
      return () => {
        holds.delete(hold)
      }
    },
    holdUntilClose: (hold) => void untimedHolds.add(hold),
    release: (hold) => void untimedHolds.delete(hold),
    setPendingAnswer: (call, request) => void pendingAnswers.set(call, request),
    async close() {
      cancel?.()
      cancel = undefined
      const endingHolds = [...holds, ...untimedHolds]
      holds.clear()
      untimedHolds.clear()
      for (const hold of endingHolds) hold.onEnd()
      await Promise.allSettled(
        endingHolds.map(({ call }) => (call === undefined ? undefined : pendingAnswers.get(call)?.answer)),
      )
    },
  }
}
