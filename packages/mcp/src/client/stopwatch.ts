// A time limit that does not run while a person answers.

import type { Runtime } from "@holdpoint/hub"

export interface Stopwatch {
  /** Pauses the limit. */
  pause(): void
  /** Continues the limit after a pause. */
  resume(): void
  /** Removes the limit. */
  end(): void
}

/** Starts a limit. Calls `onOver` once, when the limit is reached. */
export function startStopwatch(
  { now, after }: Pick<Runtime, "now" | "after">,
  limitMs: number,
  onOver: () => void,
): Stopwatch {
  let leftMs = limitMs
  let startedAt = 0
  let cancel: (() => void) | undefined
  const pause = (): void => {
    if (cancel === undefined) return
    cancel()
    cancel = undefined
    leftMs -= now() - startedAt
  }
  const resume = (): void => {
    if (cancel !== undefined) return
    startedAt = now()
    cancel = after(Math.max(leftMs, 1), onOver)
  }
  resume()
  return { pause, resume, end: pause }
}
