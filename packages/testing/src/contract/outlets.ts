// The contract of lasting outlets, as data: every lasting outlet must pass every case under a hub. To test an outlet,
// write a harness that opens it, and run the cases in a loop.

import type { OutletCase } from "./outlet-case.ts"
import { ending } from "./outlet-ending.ts"
import { killedProcesses } from "./outlet-killed.ts"
import { showingAgain } from "./outlet-reminding.ts"
import { showing } from "./outlet-showing.ts"
import { unableOutlets } from "./outlet-unable.ts"

/** The contract of every lasting outlet, as test cases for any test runner. */
export const outletContract: readonly OutletCase[] = [
  ...showing,
  ...showingAgain,
  ...killedProcesses,
  ...ending,
  ...unableOutlets,
]
