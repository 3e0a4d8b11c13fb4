// The public entry `@holdpoint/testing`: tools for tests of programs built on Holdpoint. Needs no test runner.

export type { TestClock } from "./clock.ts"
export { createTestClock } from "./clock.ts"
export type { ContractCase, StorageHarness } from "./contract/case.ts"
export type { OutletCase, OutletHarness } from "./contract/outlet-case.ts"
export { outletContract } from "./contract/outlets.ts"
export { storageContract } from "./contract/storage.ts"
export type { Filling, Person, PersonEvent } from "./person.ts"
export { person } from "./person.ts"
