// The sqlite storage holds to the contract.

import { describeStorage } from "./contract.ts"
import { sqlite } from "./engines.ts"

describeStorage("sqlite storage", sqlite)
