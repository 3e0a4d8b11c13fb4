// The error for what a person can fix at the command line: a flag, a setting, an argument.

import { HoldpointError } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"

/** Creates an error for wrong use of the command line. `next` says how to fix it. */
export function wrongUse(message: string, next?: string): HoldpointError {
  return new HoldpointError("invalid_config", next === undefined ? message : `${message}\n${next}`)
}

/** `Did you mean ask?`, or `fallback` when no known word is similar. */
export function didYouMean(word: string, words: Iterable<string>, fallback: string): string {
  const similarWord = nearest(word, words)
  return similarWord === undefined ? fallback : `Did you mean ${similarWord}?`
}
