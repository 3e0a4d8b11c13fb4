// Effects: each at most once, never without a Yes, never after a No that came before it began.

import type { AnswerFact, Facts, Finding, QuestionFact, Rule } from "../facts.ts"
import { keyPattern } from "../facts.ts"

/**
 * How long an effect may need from its beginning to the ledger, which sees only its end: so much later than the response
 * to a No, an effect has begun after it, whatever the trail says.
 */
const graceMs = 10_000

export const effectOnce: Rule = ({ effects }) => {
  const times = Map.groupBy(effects, ({ key }) => key)
  return [...times].flatMap(([key, all]) =>
    all.length < 2 ? [] : [{ rule: "effect done twice", ids: [key], words: `the ledger has it ${all.length} times` }],
  )
}

export const consent: Rule = (facts) => {
  const questions = questionsByKey(facts)
  const needed = new Set(facts.works.flatMap(({ key, needsYes }) => (needsYes ? [key] : [])))
  return facts.effects.flatMap(({ key, at }): readonly Finding[] => {
    if (!needed.has(key)) return []
    const about = questions.get(key) ?? []
    const ids = [key, ...about.map(({ id }) => id)]
    const refusing = about.find((question) => !isYes(question) && !about.some((other) => isYesInstead(other, question)))
    if (about.length === 0 || refusing !== undefined)
      return [
        {
          rule: "effect without a Yes",
          ids,
          words: `the question is “${refusing?.status ?? "missing"}” ${refusing?.said ?? ""}`.trim(),
        },
      ]
    return lateNoes(facts, about).flatMap(({ question, words, heardAt }) => {
      if (words.includes("came in time"))
        return [{ rule: "effect after a No", ids: [key, question], words: "the person read that the No came in time" }]
      if (at - heardAt > graceMs && !words.includes("too late"))
        return [
          {
            rule: "effect after a No",
            ids: [key, question],
            words: `it was done ${Math.round(at - heardAt)} ms after the No`,
          },
        ]
      return []
    })
  })
}

const isYes = ({ status, said }: QuestionFact): boolean => status === "completed" && said !== "no"

/** Whether this is a Yes to the same words, when the other question was left open. That one is a finding of its own. */
const isYesInstead = (one: QuestionFact, other: QuestionFact): boolean =>
  isYes(one) && one.message === other.message && ["pending", "cancelled", "expired"].includes(other.status)

/** A No that was heard is in the trail, and nothing that had not begun by then was done. */
export const lateNo: Rule = ({ questions, answers, effects }) => {
  const stored = new Map(questions.map((question) => [question.id, question]))
  const done = new Set(effects.map(({ key }) => key))
  return answers.flatMap((given): readonly Finding[] => {
    const question = stored.get(given.question)
    if (question?.noes === undefined || !isYes(question) || !isHeardNo(given)) return []
    const [key = ""] = keyPattern.exec(question.message) ?? []
    const own = question.noes.filter(({ by }) => by === given.by)
    if (own.length === 0)
      return [{ rule: "No lost", ids: [question.id], words: `by ${given.via}, answered: “${given.words}”` }]
    return own.some(({ isFirst }) => isFirst) && done.has(key)
      ? [{ rule: "effect after a No", ids: [key, question.id], words: "the No was stored before the effect began" }]
      : []
  })
}

/** Whether the response to a No says what became of the question, which had a Yes already. */
const isHeardNo = ({ said, heardAt, told, words }: AnswerFact): boolean =>
  said === "no" && heardAt !== undefined && (told === "completed" || /The No came|may act on it/.test(words))

function lateNoes({ answers }: Facts, about: readonly QuestionFact[]) {
  return answers.flatMap(({ question, said, heardAt, words }) =>
    said === "no" && heardAt !== undefined && about.some(({ id }) => id === question)
      ? [{ question, heardAt, words }]
      : [],
  )
}

export function questionsByKey({ questions }: Pick<Facts, "questions">): ReadonlyMap<string, readonly QuestionFact[]> {
  return Map.groupBy(questions, ({ message }) => keyPattern.exec(message)?.[0] ?? "")
}
