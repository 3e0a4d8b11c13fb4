// The interface of a mutation: a check, a change that removes the check, and the test that must then fail.

export interface Mutation {
  readonly check: string
  readonly file: string
  /** The text to replace, which occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  readonly test: string
  /** The title of the test, or a part of it. */
  readonly title: string
}

/** `test` is a file of this folder by its first word, or a path from the root. */
export type Row = readonly [check: string, find: string, replace: string, test: string, title: string]

/** Mutations of one source file, named from the root. */
export const within = (file: string, ...rows: readonly Row[]): readonly Mutation[] =>
  rows.map(([check, find, replace, test, title]) => ({
    ...{
      check,
      file,
      find,
      replace,
      title,
    },
    test: test.includes("/") ? test : `apps/holdpoint/test/attacks/${test}.test.ts`,
  }))
