// Views of questions that were answered, by what followed.

import type { AnsweredView, SequelView } from "../../../src/surfaces/web/index.ts"

const minute = 60_000

export function answeredAt(now: number, who: { readonly signedInAs: string; readonly csrf: string }) {
  const name = "Travel desk"
  const sequel: SequelView = { name, now, asker: "waits", effect: { state: "stopped" }, isRefused: false }
  const here: AnsweredView = {
    status: "completed",
    sequel,
    now,
    at: now,
    requester: { name: "Travel desk" },
    message: "Which train shall I book?",
    byYou: true,
    ...who,
  }
  return {
    here,
    again: { ...here, sequel: { ...sequel, asker: "again" } },
    tooLate: { ...here, sequel: { ...sequel, isRefused: true, effect: { state: "done", at: now - 2 * minute } } },
    elsewhere: {
      ...here,
      status: "cancelled",
      byYou: false,
      reason: { code: "caller_gone", message: "The program that asked was stopped." },
    },
  } satisfies Readonly<Record<string, AnsweredView>>
}
