// The storage contract, as data: every storage must pass every case. To test a storage, write a harness that opens it,
// and run the cases in a loop.

import type { ContractCase } from "./case.ts"
import { deadlines } from "./deadlines.ts"
import { expiring } from "./expiring.ts"
import { forgetting } from "./forgetting.ts"
import { keys } from "./keys.ts"
import { limits } from "./limits.ts"
import { listing } from "./listing.ts"
import { notifying } from "./notifying.ts"
import { recordListing } from "./record-listing.ts"
import { records } from "./records.ts"
import { restarting } from "./restarting.ts"
import { roundTrips } from "./round-trips.ts"
import { settling } from "./settling.ts"
import { storedTogether } from "./stored-together.ts"
import { trail } from "./trail.ts"
import { voting } from "./voting.ts"
import { writing } from "./writing.ts"

/** The contract of every storage, as test cases for any test runner. */
export const storageContract: readonly ContractCase[] = [
  ...writing,
  ...settling,
  ...voting,
  ...keys,
  ...limits,
  ...listing,
  ...deadlines,
  ...trail,
  ...notifying,
  ...restarting,
  ...roundTrips,
  ...forgetting,
  ...records,
  ...recordListing,
  ...expiring,
  ...storedTogether,
]
