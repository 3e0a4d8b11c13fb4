// An outlet that writes to a folder passes the contract, on databases that several processes share.

import { reusePostgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { afterAll } from "vitest"
import { describeOutlet } from "./contract.ts"

const postgres = reusePostgres()
afterAll(postgres.close)

describeOutlet("a folder, on sqlite", sqlite)
describeOutlet("a folder, on postgres", postgres.open)
