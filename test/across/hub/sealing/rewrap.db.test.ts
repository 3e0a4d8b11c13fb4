// Rotation on Postgres.

import { postgres } from "@holdpoint/testkit/hub/stores/engines"
import { describeRotation } from "./rewrap-cases.ts"

describeRotation("postgres", postgres)
