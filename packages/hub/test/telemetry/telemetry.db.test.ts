// The counters of several processes on Postgres.

import { postgres } from "@holdpoint/testkit/hub/stores/engines"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe } from "vitest"
import { assertExactTotals } from "./exact-totals.ts"

describe("telemetry", () => {
  verifies("telemetry.once", "has exact totals over two hubs on one Postgres", () => assertExactTotals(postgres))
})
