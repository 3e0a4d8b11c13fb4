// What a person or a program reads in the end about an act is what the ledger has.

import { type Finding, keyPattern, type Rule } from "../facts.ts"

/** A person who has to agree is asked: it is not said for them that they did not. */
export const asked: Rule = ({ works, questions }) => {
  const keys = new Set(questions.map(({ message }) => keyPattern.exec(message)?.[0]))
  return works.flatMap(({ key, surface, told: end, words, needsYes }): readonly Finding[] =>
    needsYes && end === "not done" && !keys.has(key)
      ? [{ rule: "person never asked", ids: [key], words: `${surface}: “${words.slice(0, 300)}”` }]
      : [],
  )
}

export const truth: Rule = ({ works, effects }) => {
  const done = new Set(effects.map(({ key }) => key))
  return works.flatMap(({ key, surface, told: end, words, hasEffect }): readonly Finding[] => {
    if (!hasEffect || end === undefined || end === "unknown") return []
    const isDone = done.has(key)
    if (isDone === (end === "done")) return []
    // A failure that did nothing is not an untruth: the act can be asked for again.
    if (end === "failed" && !isDone) return []
    const rule = isDone ? "done, and said otherwise" : "said to be done, and not done"
    return [{ rule, ids: [key], words: `${surface}: “${words.slice(0, 300)}”` }]
  })
}
