// Several nodes over one Postgres.

import { postgres } from "@holdpoint/testkit/hub/stores/engines"
import { describeRaces } from "./races.ts"

describeRaces("Postgres", postgres)
