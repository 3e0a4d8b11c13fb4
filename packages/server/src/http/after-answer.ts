// Reads from the audit trail what the asker did after a question was answered.

import type { Elicitation } from "@holdpoint/hub"
import { readAfterAnswer, readTrail } from "@holdpoint/hub/internal"
import type { AfterAnswerView } from "../web/index.ts"
import type { Site } from "./site.ts"

/** The requester of questions that people ask themselves, on their account page. */
export const ownPage = { id: "holdpoint", name: "You, on your account page" }

export async function toAfterAnswerView(
  { hub, runtime }: Site,
  { id, requester, holders }: Elicitation,
): Promise<AfterAnswerView> {
  const entries = await readTrail({ read: hub.trail }, id)
  const afterAnswer = readAfterAnswer(entries, { holders })
  const isOwn = requester.id === ownPage.id && requester.name === ownPage.name
  return {
    ...{ ...afterAnswer, name: requester.name ?? requester.id, now: runtime.now() },
    ...(isOwn ? { asker: "self" as const } : {}),
  }
}
