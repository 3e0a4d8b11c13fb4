// Rotation on Postgres.

import { postgres } from "../stores/engines.ts"
import { describeRotation } from "./rewrap-cases.ts"

describeRotation("postgres", postgres)
