// The Postgres storage passes the contract.

import { describeStorage } from "@holdpoint/testkit/hub/stores/contract"
import { reusePostgres } from "@holdpoint/testkit/hub/stores/engines"
import { afterAll } from "vitest"

const postgres = reusePostgres()
afterAll(postgres.close)

describeStorage("postgres storage", postgres.open)
