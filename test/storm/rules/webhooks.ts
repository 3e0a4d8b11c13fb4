// Webhooks: every event is received, or still owed to a receiver that did not answer; and says how the question ended.

import type { Finding, Rule } from "../facts.ts"

export const webhooks: Rule = ({ webhooks: events }) =>
  events.flatMap(({ endpoint, question, type, received, delivery, attempts, hangs }): readonly Finding[] => {
    const finding = (rule: string, words: string) => [
      { rule, ids: [question], words: `${type} for ${endpoint}: ${words}` },
    ]
    if (received > 0) return []
    if (delivery === undefined) return finding("webhook lost", "there is no delivery")
    if (delivery === "accepted")
      return finding("webhook lost", "the delivery is accepted, and the receiver has nothing")
    if (hangs) return []
    if (delivery === "failed") return finding("webhook given up", `after ${attempts} attempts`)
    return attempts === 0 ? finding("webhook stuck", "it was never tried") : []
  })
