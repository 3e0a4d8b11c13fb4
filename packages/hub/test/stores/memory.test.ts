// The memory storage passes the contract.

import { describeStorage } from "@holdpoint/testkit/hub/stores/contract"
import { memory } from "@holdpoint/testkit/hub/stores/engines"

describeStorage("memory storage", memory)
