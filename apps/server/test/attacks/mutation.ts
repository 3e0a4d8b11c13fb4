// What a mutation is: a check, a change that takes it away, and the test that has to notice.

export interface Mutation {
  readonly check: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  readonly test: string
  /** Of the test, or a part of it. */
  readonly title: string
}

/** `test` is a file of this folder by its first word, or a path from the root. */
export type Row = readonly [check: string, find: string, replace: string, test: string, title: string]

/** Changes to one source file of the library, or to any other that is named from the root. */
export const within = (file: string, ...rows: readonly Row[]): readonly Mutation[] =>
  rows.map(([check, find, replace, test, title]) => ({
    ...{
      check,
      file: /^(?:apps|packages)\//.test(file) ? file : `packages/holdpoint/src/${file}`,
      find,
      replace,
      title,
    },
    test: test.includes("/") ? test : `apps/server/test/attacks/${test}.test.ts`,
  }))
