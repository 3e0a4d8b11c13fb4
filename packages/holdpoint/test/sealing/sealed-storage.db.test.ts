// The durable storages, sealed, hold to the contract like any other.

import { afterAll } from "vitest"
import { describeStorage } from "../stores/contract.ts"
import { reusePostgres, sqlite } from "../stores/engines.ts"
import { sealed } from "./sealed-engine.ts"

const postgres = reusePostgres()
afterAll(postgres.close)

describeStorage("sealed sqlite storage", sealed(sqlite))
describeStorage("sealed postgres storage", sealed(postgres.open))
