// The Postgres storage passes the contract.

import { afterAll } from "vitest"
import { describeStorage } from "./contract.ts"
import { reusePostgres } from "./engines.ts"

const postgres = reusePostgres()
afterAll(postgres.close)

describeStorage("postgres storage", postgres.open)
