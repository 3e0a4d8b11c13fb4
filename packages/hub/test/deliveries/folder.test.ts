// An outlet that writes to a folder passes the contract.

import { memory } from "@holdpoint/testkit/hub/stores/engines"
import { describeOutlet } from "./contract.ts"

describeOutlet("a folder, on memory", memory)
