// Checks whether the caller of a long response may still read it. The result is reused for a moment, so that a fast
// reply does not need a check for each chunk.

import type { Runtime } from "@holdpoint/hub"

export interface AccessRight {
  /** Whether the caller may still read. Uses the result of the last check if it is less than a second old. */
  isValid(): Promise<boolean>
  /** Checks immediately. To be called when one of the person's sessions has ended. */
  recheck(): void
  close(): void
}

const trustMs = 1_000

/** The interval of checks that do not wait for a chunk, because a response may send nothing for a long time. */
const checkMs = 30_000

/** Calls `end` when `recheck` or a periodic check finds that the caller may no longer read. */
export function createAccessRight(
  { after, now }: Pick<Runtime, "after" | "now">,
  check: () => Promise<boolean>,
  end: () => void,
): AccessRight {
  let lastCheck: { readonly at: number; readonly isValid: Promise<boolean> } | undefined
  const isValid = (): Promise<boolean> => {
    if (lastCheck === undefined || now() - lastCheck.at >= trustMs) lastCheck = { at: now(), isValid: check() }
    return lastCheck.isValid
  }
  const recheck = (): void => {
    lastCheck = undefined
    // The stream also ends when the check throws: its client reconnects, and is checked then.
    isValid().then(
      (isLeft) => {
        if (!isLeft) end()
      },
      () => end(),
    )
  }
  const scheduleCheck = (): (() => void) =>
    after(checkMs, () => {
      recheck()
      cancel = scheduleCheck()
    })
  let cancel = scheduleCheck()
  return { isValid, recheck, close: () => cancel() }
}
