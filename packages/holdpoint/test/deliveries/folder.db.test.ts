// An outlet that writes to a folder holds to the contract, on databases that several processes share.

import { postgres, sqlite } from "../stores/engines.ts"
import { describeOutlet } from "./contract.ts"

describeOutlet("a folder, on sqlite", sqlite)
describeOutlet("a folder, on postgres", postgres)
