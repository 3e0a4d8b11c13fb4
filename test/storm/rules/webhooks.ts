// Webhooks: every event is received, or still owed to a receiver that did not answer.

import type { Finding, Rule } from "../facts.ts"

/** Longer than any process needs to take what is due. */
export const mostOverdueMs = 10_000

export const webhooks: Rule = ({ webhooks: events }) =>
  events.flatMap(({ endpoint, question, type, received, delivery, overdueMs, hangs }): readonly Finding[] => {
    const finding = (rule: string, words: string) => [
      { rule, ids: [question], words: `${type} for ${endpoint}: ${words}` },
    ]
    if (received > 0) return []
    if (delivery === undefined) return finding("webhook lost", "there is no delivery")
    if (delivery === "accepted")
      return finding("webhook lost", "the delivery is accepted, and the receiver has nothing")
    if (hangs) return []
    if (delivery === "failed") return finding("webhook given up", "the receiver answers")
    return overdueMs > mostOverdueMs ? finding("webhook stuck", `due for ${Math.round(overdueMs / 1_000)} s`) : []
  })
