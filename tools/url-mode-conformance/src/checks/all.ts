// All checks in the order in which they run. Checks that finish a question come late, because some servers then have no
// reason to ask again; checks that read everything received come last.

import type { UrlModeCheck } from "../check.ts"
import { address } from "./address.ts"
import { answers } from "./answers.ts"
import { capability } from "./capability.ts"
import { completion } from "./completion.ts"
import { flow } from "./flow.ts"
import { forms } from "./forms.ts"
import { identity } from "./identity.ts"
import { link } from "./link.ts"
import { replay } from "./replay.ts"
import { shape } from "./shape.ts"
import { state } from "./state.ts"
import { transport } from "./transport.ts"
import { wire } from "./wire.ts"

export const urlModeChecks: readonly UrlModeCheck[] = [
  ...shape,
  ...address,
  ...capability,
  ...answers,
  ...state,
  ...replay,
  ...identity,
  ...flow,
  ...link,
  ...completion,
  ...transport,
  ...forms,
  ...wire,
]
