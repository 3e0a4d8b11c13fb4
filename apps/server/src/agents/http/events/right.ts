// Whether the caller of a long response may still read it. A check counts for a moment, so that a fast reply does not
// cost one for each chunk.

import type { Runtime } from "@holdpoint/sdk"

export interface Right {
  /** Checks it, unless that was done just now. */
  isThere(): Promise<boolean>
  /** Checks it at once: a session has ended somewhere. */
  doubt(): void
  close(): void
}

const trustMs = 1_000

/** How often it is checked while nothing is sent. */
const checkMs = 30_000

/** `end` is called when the right is over while nothing is sent. */
export function createRight(
  { after, now }: Pick<Runtime, "after" | "now">,
  check: () => Promise<boolean>,
  end: () => void,
): Right {
  let known: { readonly at: number; readonly isThere: Promise<boolean> } | undefined
  const isThere = (): Promise<boolean> => {
    if (known === undefined || now() - known.at >= trustMs) known = { at: now(), isThere: check() }
    return known.isThere
  }
  const doubt = (): void => {
    known = undefined
    // If it cannot be checked, the stream ends too: its client comes again, and is checked then.
    isThere().then(
      (isLeft) => {
        if (!isLeft) end()
      },
      () => end(),
    )
  }
  const lookAgain = (): (() => void) =>
    after(checkMs, () => {
      doubt()
      cancel = lookAgain()
    })
  let cancel = lookAgain()
  return { isThere, doubt, close: () => cancel() }
}
