// Checks whether the caller of a long response may still read it. The result is reused for a moment, so that a fast
// reply does not need a check for each chunk.

import type { Runtime } from "@holdpoint/sdk"

export interface AccessRight {
  /** Checks the caller, unless that was done within the last second. */
  isValid(): Promise<boolean>
  /** Checks immediately: one of the person's sessions has ended. */
  recheck(): void
  close(): void
}

const trustMs = 1_000

/** The interval between checks while nothing is sent. */
const checkMs = 30_000

/** Calls `end` when a check between events fails. */
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
