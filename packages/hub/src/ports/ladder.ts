// The ladder: when each lasting outlet may notify a person of a question. An implementation applies people's settings.

import type { Elicitation } from "../core/elicitation.ts"
import type { RungTime } from "../core/ladder.ts"
import type { PrincipalId } from "../core/principal.ts"

/**
 * Says when an outlet may tell a person of a question. Called when a delivery is planned, and again just before its
 * message is posted.
 */
export interface Ladder {
  /** With `startsAt`, the question moves up the ladder: `startsAt` replaces the rung's own time. */
  timeOf(question: Elicitation, recipient: LadderRecipient): Promise<RungTime>
}

export interface LadderRecipient {
  readonly outlet: string
  readonly person: PrincipalId
  readonly startsAt?: number
}
