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
  let allowedEdits = Math.min(3, Math.max(1, Math.floor(word.length / 3)))
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase(), allowedEdits)
    if (edits > allowedEdits) continue
    best = candidate
    allowedEdits = edits - 1
  }
  return best
}

/** The number of edits between two words; a swap of neighbours counts as one. Above `limit`, any larger number. */
function distance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1
  if (Math.abs(a.length - b.length) > limit) return tooFar
  let previousRow: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let aIndex = 1; aIndex <= a.length; aIndex++) {
    const nextRow: number[] = new Array(b.length + 1).fill(tooFar)
    nextRow[0] = aIndex
    for (let bIndex = Math.max(1, aIndex - limit); bIndex <= Math.min(b.length, aIndex + limit); bIndex++) {
      const isSameLetter = a[aIndex - 1] === b[bIndex - 1]
      const swapped = aIndex > 1 && bIndex > 1 && a[aIndex - 1] === b[bIndex - 2] && a[aIndex - 2] === b[bIndex - 1]
      const edited = Math.min(row[bIndex]! + 1, nextRow[bIndex - 1]! + 1, row[bIndex - 1]! + (isSameLetter ? 0 : 1))
      nextRow[bIndex] = swapped ? Math.min(edited, previousRow[bIndex - 2]! + 1) : edited
    }
    previousRow = row
    row = nextRow
  }
  return row[b.length]!
}
