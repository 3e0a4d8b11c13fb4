// For those who test what they build on Holdpoint. Needs no test runner.

export type { TestClock } from "./clock.ts"
export { createTestClock } from "./clock.ts"
