// Several nodes over one Postgres.

import { postgres } from "../../stores/engines.ts"
import { describeRaces } from "./races.ts"

describeRaces("Postgres", postgres)
