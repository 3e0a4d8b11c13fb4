// "Did you mean …?": the candidate that a mistyped word is closest to.

import type { Problem } from "./error.ts"

/** The problem for an unknown name, with the nearest known one. Ignoring it would hide a typo. */
export function unknownName(path: string, name: string, knownNames: readonly string[]): Problem {
  const candidate = nearest(name, knownNames)
  const suggestion = candidate === undefined ? `Known names: ${knownNames.join(", ")}.` : `Did you mean ${candidate}?`
  return { path, message: "Unknown name.", suggestion }
}

/**
 * The candidate that a mistyped word most likely means. Undefined when nothing is close: at most a third of the
 * letters may be wrong, and never more than three. Words over 40 letters are not compared, so that hostile names cost
 * little.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 40) return undefined
  let best: string | undefined
  let allowed = Math.min(3, Math.max(1, Math.floor(word.length / 3)))
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase(), allowed)
    if (edits > allowed) continue
    best = candidate
    allowed = edits - 1
  }
  return best
}

/** Edits between two words, swapped neighbours counting as one; only what can stay within `limit` is computed. */
function distance(a: string, b: string, limit: number): number {
  const far = limit + 1
  if (Math.abs(a.length - b.length) > limit) return far
  let previous: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next: number[] = new Array(b.length + 1).fill(far)
    next[0] = i
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const isSameLetter = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const edited = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSameLetter ? 0 : 1))
      next[j] = swapped ? Math.min(edited, previous[j - 2]! + 1) : edited
    }
    previous = row
    row = next
  }
  return row[b.length]!
}
