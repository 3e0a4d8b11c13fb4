// What the asker did after a question was answered, read from its audit trail.

import type { Elicitation } from "../core/elicitation.ts"
import { readAfterAnswer, readTrail } from "../hub/effects.ts"
import type { AfterAnswerView } from "../surfaces/web/index.ts"
import type { Site } from "./site.ts"

export async function toAfterAnswerView(
  { hub, runtime }: Site,
  { id, requester }: Elicitation,
): Promise<AfterAnswerView> {
  const entries = await readTrail({ read: hub.trail }, id)
  return { ...readAfterAnswer(entries), name: requester.name ?? requester.id, now: runtime.now() }
}
