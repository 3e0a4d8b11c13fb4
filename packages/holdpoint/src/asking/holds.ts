// Requests held open while a person acts, all for the same time. They end in the order in which they began, so one
// timer is enough.

import type { Runtime } from "../ports/runtime.ts"

export interface Holds {
  /** Calls back when the hold time is over. Returns a function that releases the hold. */
  begin(onOver: () => void, call?: object): () => void
  /** Calls back when all holds are ended by `close`, unless the hold was released before. */
  untilClose(hold: Hold): void
  release(hold: Hold): void
  /** Registers the request that works on a call and may be held, so that `close` waits for its answer. */
  answering(call: object, request: PendingAnswer): void
  /** Ends all holds. Resolves when the held requests are answered. */
  close(): Promise<void>
}

export interface PendingAnswer {
  readonly answer?: Promise<unknown>
}

/** An object with a method instead of a closure, to save memory: many requests are held at once. */
export interface Hold {
  readonly call: object | undefined
  onOver(): void
}

export const defaultHoldMs = 45_000

export function createHolds(runtime: Runtime, holdMs = defaultHoldMs): Holds {
  const holds = new Set<Hold & { readonly endsAt: number }>()
  const endless = new Set<Hold>()
  const requests = new WeakMap<object, PendingAnswer>()
  let cancel: (() => void) | undefined

  const endDue = (): void => {
    cancel = undefined
    const now = runtime.now()
    for (const hold of holds) {
      if (hold.endsAt > now) break
      holds.delete(hold)
      hold.onOver()
    }
    arm()
  }
  const arm = (): void => {
    const [first] = holds
    if (first !== undefined) cancel ??= runtime.after(Math.max(first.endsAt - runtime.now(), 1), endDue)
  }

  return {
    begin(onOver, call) {
      const hold = { endsAt: runtime.now() + holdMs, onOver, call }
      holds.add(hold)
      arm()
      return () => {
        holds.delete(hold)
      }
    },
    untilClose: (hold) => void endless.add(hold),
    release: (hold) => void endless.delete(hold),
    answering: (call, request) => void requests.set(call, request),
    async close() {
      cancel?.()
      cancel = undefined
      const ending = [...holds, ...endless]
      holds.clear()
      endless.clear()
      for (const hold of ending) hold.onOver()
      await Promise.allSettled(ending.map(({ call }) => (call === undefined ? undefined : requests.get(call)?.answer)))
    },
  }
}
