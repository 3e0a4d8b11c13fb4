// Requests that are held open while a person acts, each for the same time. They end in the order in which they began, so
// one timer serves them all.

import type { Runtime } from "../ports/runtime.ts"

export interface Holds {
  /** Calls back when the time is over, unless what is returned was called before. */
  begin(onOver: () => void, call?: object): () => void
  /** The answer to a request that goes on with a call, which may be held on its way. */
  answering(call: object, answer: Promise<unknown>): void
  /** Ends all holds. Resolves when what was held is answered. */
  close(): Promise<void>
}

interface Hold {
  readonly endsAt: number
  readonly onOver: () => void
  readonly call: object | undefined
}

export const defaultHoldMs = 45_000

export function createHolds(runtime: Runtime, holdMs = defaultHoldMs): Holds {
  const holds = new Set<Hold>()
  const answers = new WeakMap<object, Promise<unknown>>()
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
    answering: (call, answer) => void answers.set(call, answer),
    async close() {
      cancel?.()
      cancel = undefined
      const ending = [...holds]
      holds.clear()
      for (const { onOver } of ending) onOver()
      await Promise.allSettled(ending.map(({ call }) => (call === undefined ? undefined : answers.get(call))))
    },
  }
}
