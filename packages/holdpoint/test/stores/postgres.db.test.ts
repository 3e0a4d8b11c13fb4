// The Postgres storage holds to the contract.

import { describeStorage } from "./contract.ts"
import { postgres } from "./engines.ts"

describeStorage("postgres storage", postgres)
