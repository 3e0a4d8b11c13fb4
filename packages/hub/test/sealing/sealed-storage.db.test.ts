// The durable storages, sealed, hold to the contract like any other.

import { sealed } from "@holdpoint/testkit/hub/sealing/sealed-engine"
import { describeStorage } from "@holdpoint/testkit/hub/stores/contract"
import { reusePostgres, sqlite } from "@holdpoint/testkit/hub/stores/engines"
import { afterAll } from "vitest"

const postgres = reusePostgres()
afterAll(postgres.close)

describeStorage("sealed sqlite storage", sealed(sqlite))
describeStorage("sealed postgres storage", sealed(postgres.open))
