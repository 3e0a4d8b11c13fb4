// The random sequences of late work on SQLite and Postgres, with two connections.

import { postgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { usually } from "@holdpoint/testkit/long"
import { describe, test } from "vitest"
import { playOn } from "./model/engine.ts"

const limitMs = usually(60_000, { long: 900_000 })

describe("late work", () => {
  test(
    "is done once, in order, by one process at a time, and never forgotten, on SQLite",
    async () => {
      await playOn(sqlite, usually(25, { long: 800 }))
    },
    limitMs,
  )

  test(
    "is done once, in order, by one process at a time, and never forgotten, on Postgres",
    async () => {
      await playOn(postgres, usually(15, { long: 400 }))
    },
    limitMs,
  )
})
