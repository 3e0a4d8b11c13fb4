// Late work under every kind of fault, in random sequences on the memory storage: crashes, wrong clocks, slow workers,
// lost leases, two processes, failing writes.

import { memory } from "@holdpoint/testkit/hub/stores/engines"
import { usually } from "@holdpoint/testkit/long"
import { describe, test } from "vitest"
import { playOn } from "./model/engine.ts"

describe("late work", () => {
  test(
    "is done once, in order, by one process at a time, and never forgotten",
    async () => {
      await playOn(memory, usually(150, { long: 4_000 }))
    },
    usually(20_000, { long: 600_000 }),
  )
})
