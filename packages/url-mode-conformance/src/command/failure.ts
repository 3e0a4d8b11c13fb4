// Errors with an exit code, whose message is for the user of the command line.

export interface CommandFailure extends Error {
  readonly exitCode: 1 | 2
}

/** Creates the error for a wrong command line; `next` says how to fix it. */
export function usageError(problem: string, next: string): CommandFailure {
  return Object.assign(new Error(`${problem}\n${next}`), { exitCode: 2 as const })
}

export function failure(message: string): CommandFailure {
  return Object.assign(new Error(message), { exitCode: 1 as const })
}

export function isCommandFailure(error: unknown): error is CommandFailure {
  return error instanceof Error && "exitCode" in error
}

/** `Did you mean state-altered?`, or `otherwise` when no known word is similar. */
export function didYouMean(word: string, words: readonly string[], otherwise: string): string {
  const [closest] = words
    .map((candidate) => ({ candidate, edits: edits(word, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  return closest !== undefined && closest.edits <= Math.min(3, word.length / 3)
    ? `Did you mean ${closest.candidate}?`
    : otherwise
}

/** The Levenshtein distance between two words. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
