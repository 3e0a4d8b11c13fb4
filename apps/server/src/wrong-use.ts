// The error for what a person can fix at the command line: a flag, a setting, an argument.

import { HoldpointError } from "@holdpoint/sdk"
import { nearest } from "@holdpoint/sdk/forms"

/** Creates an error for wrong use of the command line. `next` says how to fix it. */
export function wrongUse(what: string, next?: string): HoldpointError {
  return new HoldpointError("invalid_config", next === undefined ? what : `${what}\n${next}`)
}

/** `Did you mean ask?`, or `otherwise` when no known word is similar. */
export function didYouMean(word: string, words: Iterable<string>, otherwise: string): string {
  const similar = nearest(word, words)
  return similar === undefined ? otherwise : `Did you mean ${similar}?`
}
