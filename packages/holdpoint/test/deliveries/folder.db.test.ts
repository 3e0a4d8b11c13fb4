// An outlet that writes to a folder passes the contract, on databases that several processes share.

import { afterAll } from "vitest"
import { reusePostgres, sqlite } from "../stores/engines.ts"
import { describeOutlet } from "./contract.ts"

const postgres = reusePostgres()
afterAll(postgres.close)

describeOutlet("a folder, on sqlite", sqlite)
describeOutlet("a folder, on postgres", postgres.open)
