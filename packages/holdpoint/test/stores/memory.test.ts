// The memory storage passes the contract.

import { describeStorage } from "./contract.ts"
import { memory } from "./engines.ts"

describeStorage("memory storage", memory)
