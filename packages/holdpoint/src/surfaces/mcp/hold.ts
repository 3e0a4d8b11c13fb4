// Requests that are held open while a person acts, each for the same time. They end in the order in which they began, so
// one timer serves them all.

import type { Runtime } from "../../ports/runtime.ts"

export interface Holds {
  /** Calls back when the time is over, unless what is returned was called before. */
  begin(onOver: () => void): () => void
  close(): void
}

interface Hold {
  readonly endsAt: number
  readonly onOver: () => void
}

export function createHolds(runtime: Runtime, holdMs: number): Holds {
  const holds = new Set<Hold>()
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
    begin(onOver) {
      const hold = { endsAt: runtime.now() + holdMs, onOver }
      holds.add(hold)
      arm()
      return () => {
        holds.delete(hold)
      }
    },
    close() {
      cancel?.()
      cancel = undefined
      for (const { onOver } of [...holds]) onOver()
      holds.clear()
    },
  }
}
