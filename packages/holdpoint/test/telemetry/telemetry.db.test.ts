// The counters of several processes on Postgres.

import { describe } from "vitest"
import { postgres } from "../stores/engines.ts"
import { verifies } from "../verifies.ts"
import { assertExactTotals } from "./exact-totals.ts"

describe("telemetry", () => {
  verifies("telemetry.once", "has exact totals over two hubs on one Postgres", () => assertExactTotals(postgres))
})
