// The error for what a person can fix at the command line: a flag, a setting, an argument.

import { HoldpointError } from "@holdpoint/sdk"
import { nearest } from "@holdpoint/sdk/forms"

/** `next` says what to do about it. */
export function wrongUse(what: string, next?: string): HoldpointError {
  return new HoldpointError("invalid_config", next === undefined ? what : `${what}\n${next}`)
}

/** `Did you mean ask?`, or `otherwise` when no known word is similar. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const meant = nearest(word, known)
  return meant === undefined ? otherwise : `Did you mean ${meant}?`
}
