// The page of a question that several people have to approve, to one who has, and to the one who may not.

import { type QuestionView, questionPage } from "@holdpoint/server/internal"
import { sample } from "./sample.ts"

const minute = 60_000

export function votedAt(now: number, who: Pick<QuestionView, "signedInAs" | "csrf" | "elicitation">) {
  const view = { ...who, now, action: "/inbox/91bc" }
  return {
    "question-votes": sample(questionPage, {
      ...view,
      votes: {
        needed: 3,
        hasApproved: true,
        votes: [
          { name: "bob@example.com", said: "yes", at: now - 2 * minute, via: "slack" },
          { name: "You", said: "yes", at: now - minute, via: "web" },
        ],
      },
    }),
    "question-own-request": sample(questionPage, {
      ...{ ...view, isOwnRequest: true },
      votes: { needed: 2, hasApproved: false, votes: [{ name: "bob@example.com", said: "yes", at: now - minute }] },
    }),
  }
}
