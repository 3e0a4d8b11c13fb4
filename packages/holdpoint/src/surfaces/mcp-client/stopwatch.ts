// A time limit that does not run while a person answers.

import type { Runtime } from "../../ports/runtime.ts"

export interface Stopwatch {
  /** Stops the time. */
  pause(): void
  /** Lets the time run on. */
  go(): void
  /** Ends the limit. */
  end(): void
}

/** Starts a limit. Calls back once, when that much time has run. */
export function startStopwatch(
  { now, after }: Pick<Runtime, "now" | "after">,
  limitMs: number,
  onOver: () => void,
): Stopwatch {
  let leftMs = limitMs
  let since = 0
  let cancel: (() => void) | undefined
  const pause = (): void => {
    if (cancel === undefined) return
    cancel()
    cancel = undefined
    leftMs -= now() - since
  }
  const go = (): void => {
    if (cancel !== undefined) return
    since = now()
    cancel = after(Math.max(leftMs, 1), onOver)
  }
  go()
  return { pause, go, end: pause }
}
