// Errors with an exit code, whose message is for the user of the command line.

export interface CommandFailure extends Error {
  readonly exitCode: 1 | 2
}

/** Creates the error for a wrong command line; `advice` says how to fix it. */
export function usageError(problem: string, advice: string): CommandFailure {
  return Object.assign(new Error(`${problem}\n${advice}`), { exitCode: 2 as const })
}

export function failure(message: string): CommandFailure {
  return Object.assign(new Error(message), { exitCode: 1 as const })
}

export function isCommandFailure(error: unknown): error is CommandFailure {
  return error instanceof Error && "exitCode" in error
}

/** `Did you mean state-altered?`, or `fallback` when no known word is similar. */
export function didYouMean(word: string, words: readonly string[], fallback: string): string {
  const [closest] = words
    .map((candidate) => ({ candidate, edits: edits(word, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  return closest !== undefined && closest.edits <= Math.min(3, word.length / 3)
    ? `Did you mean ${closest.candidate}?`
    : fallback
}

/** The Levenshtein distance between two words. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [rowIndex, letter] of [...a].entries()) {
    const nextRow = [rowIndex + 1]
    for (const [columnIndex, otherLetter] of [...b].entries()) {
      nextRow.push(
        Math.min(
          nextRow[columnIndex]! + 1,
          row[columnIndex + 1]! + 1,
          row[columnIndex]! + (letter === otherLetter ? 0 : 1),
        ),
      )
    }
    row = nextRow
  }
  return row.at(-1) ?? 0
}
