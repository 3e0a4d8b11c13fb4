// The suites that several test files run. Their cases are in separate files.

const suites: readonly { readonly cases: string; readonly tests: readonly string[] }[] = [
  {
    cases: "packages/testing/src/contract/",
    tests: ["memory.test.ts", "sqlite.db.test.ts", "postgres.db.test.ts"].map(
      (name) => `packages/hub/test/stores/${name}`,
    ),
  },
  {
    cases: "test/across/hub/sealing/rewrap-cases.ts",
    tests: ["rewrap.test.ts", "rewrap.db.test.ts"].map((name) => `test/across/hub/sealing/${name}`),
  },
  {
    cases: "packages/server/test/identity/authorization/races.ts",
    tests: ["races.test.ts", "races.db.test.ts"].map((name) => `packages/server/test/identity/authorization/${name}`),
  },
]

/** Whether running the test file runs the cases of this file: its own, or those of a suite. */
export const isRunBy = (file: string, test: string): boolean =>
  file === test || suites.some(({ cases, tests: all }) => file.startsWith(cases) && all.includes(test))
