// Views of questions that were answered, by what followed.

import type { AfterAnswerView, AnsweredView } from "@holdpoint/server/internal"

const minute = 60_000

export function answeredAt(now: number, who: { readonly signedInAs: string; readonly csrf: string }) {
  const name = "Travel desk"
  const afterAnswer: AfterAnswerView = {
    name,
    now,
    asker: "waits",
    isRepeatable: true,
    effect: { state: "stopped" },
    isRefused: false,
  }
  const here: AnsweredView = {
    status: "completed",
    afterAnswer,
    now,
    at: now,
    requester: { name: "Travel desk" },
    message: "Which train shall I book?",
    isByYou: true,
    timeline: "/inbox/7f3a/timeline",
    ...who,
  }
  return {
    here,
    again: { ...here, afterAnswer: { ...afterAnswer, asker: "again" } },
    tooLate: {
      ...here,
      afterAnswer: { ...afterAnswer, isRefused: true, effect: { state: "done", at: now - 2 * minute } },
    },
    elsewhere: {
      ...here,
      status: "cancelled",
      isByYou: false,
      reason: { code: "caller_gone", message: "The program that asked was stopped." },
    },
  } satisfies Readonly<Record<string, AnsweredView>>
}
