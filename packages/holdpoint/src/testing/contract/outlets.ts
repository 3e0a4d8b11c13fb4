// The contract of lasting outlets, as data: under a hub, every one of them must hold to every case. An implementation's
// test is a harness plus a loop.

import type { OutletCase } from "./outlet-case.ts"
import { dying } from "./outlet-dying.ts"
import { ending } from "./outlet-ending.ts"
import { showing } from "./outlet-showing.ts"
import { beingUnable } from "./outlet-unable.ts"

/** What every lasting outlet has to do, as test cases for any test runner. */
export const outletContract: readonly OutletCase[] = [...showing, ...dying, ...ending, ...beingUnable]
