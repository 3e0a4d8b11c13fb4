// The durable storages, sealed, hold to the contract like any other.

import { describeStorage } from "../stores/contract.ts"
import { postgres, sqlite } from "../stores/engines.ts"
import { sealed } from "./sealed-engine.ts"

describeStorage("sealed sqlite storage", sealed(sqlite))
describeStorage("sealed postgres storage", sealed(postgres))
