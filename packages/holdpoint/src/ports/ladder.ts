// The ladder: when each lasting outlet may tell a person of a question. An implementation includes what people chose.

import type { Elicitation } from "../core/elicitation.ts"
import type { RungTime } from "../core/ladder.ts"
import type { PrincipalId } from "../core/principal.ts"

/** Says when an outlet may tell a person of a question. Called when a delivery is planned, and again just before it is shown. */
export interface Ladder {
  /** With `from`, the question moves up: that time counts instead of the rung's own. */
  timeOf(question: Elicitation, recipient: LadderRecipient): Promise<RungTime>
}

export interface LadderRecipient {
  readonly outlet: string
  readonly person: PrincipalId
  readonly from?: number
}
