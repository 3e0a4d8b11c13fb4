// An outlet that writes to a folder passes the contract.

import { memory } from "../stores/engines.ts"
import { describeOutlet } from "./contract.ts"

describeOutlet("a folder, on memory", memory)
