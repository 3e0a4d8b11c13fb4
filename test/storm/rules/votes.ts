// Votes: one for each person who voted, and none that no person cast. Programs ask each question once.

import type { Finding, Rule } from "../facts.ts"
import { keyPattern } from "../facts.ts"

export const votes: Rule = ({ questions, answers, works }) => [
  ...questions.flatMap(({ id, said: end, approvals = 0, votes: cast = [] }): readonly Finding[] => {
    // A person may take back a Yes with a No.
    const twice = cast.find(({ by, said }, at) => cast.findIndex((one) => one.by === by && one.said === said) !== at)
    const agreed = new Set(cast.flatMap(({ by, said }) => (said === "yes" ? [by] : [])))
    const isTooFew = end === "yes" && agreed.size < approvals
    const unasked = cast.find(
      ({ by, said }) => !answers.some((one) => one.question === id && one.by === by && one.said === said),
    )
    return [
      ...(isTooFew ? [{ rule: "agreed with too few votes", ids: [id], words: [...agreed].join(", ") }] : []),
      ...(twice === undefined ? [] : [{ rule: "vote counted twice", ids: [id], words: twice.by }]),
      ...(unasked === undefined ? [] : [{ rule: "vote that no person cast", ids: [id], words: unasked.by }]),
    ]
  }),
  ...answers.flatMap(({ question: id, by, said, httpStatus, told }): readonly Finding[] => {
    const question = questions.find((one) => one.id === id)
    if (question?.votes === undefined || httpStatus !== 200 || told === undefined) return []
    const isCast = question.votes.some((one) => one.by === by && (one.said === said || said === "yes"))
    return isCast ? [] : [{ rule: "vote lost", ids: [id], words: `${by} said ${said}` }]
  }),
  ...works.flatMap(({ key, surface }): readonly Finding[] => {
    if (!surface.startsWith("program")) return []
    const ids = questions.filter(({ message }) => keyPattern.exec(message)?.[0] === key).map((one) => one.id)
    return ids.length > 1 ? [{ rule: "question asked twice", ids, words: key }] : []
  }),
]
