// Errors whose message is for the person at the command line, with their exit code.

export interface CommandFailure extends Error {
  readonly exitCode: 1 | 2
}

/** For what a person can fix at the command line; `next` says how. */
export function wrongUse(what: string, next: string): CommandFailure {
  return Object.assign(new Error(`${what}\n${next}`), { exitCode: 2 as const })
}

export function failure(words: string): CommandFailure {
  return Object.assign(new Error(words), { exitCode: 1 as const })
}

export function isCommandFailure(error: unknown): error is CommandFailure {
  return error instanceof Error && "exitCode" in error
}

/** `Did you mean state-altered?`, or `otherwise` when no known word is similar. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  const [near] = known.map((one) => ({ one, edits: edits(word, one) })).sort((a, b) => a.edits - b.edits)
  return near !== undefined && near.edits <= Math.min(3, word.length / 3) ? `Did you mean ${near.one}?` : otherwise
}

/** The Levenshtein distance. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
