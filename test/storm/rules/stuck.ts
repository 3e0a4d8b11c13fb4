// Nothing is left under way after the quiet period.

import { type Facts, type Finding, keyPattern, type Rule } from "../facts.ts"

export const stuck: Rule = ({ open, works, questions, owedPlaces }) => [
  ...open.flatMap(({ kind, id, state }): readonly Finding[] => {
    // The question of a client that gave up its call stays open until it expires.
    const asker = works.find(({ key }) => key === keyPattern.exec(state)?.[0])
    // When a process dies between a question and the note of it, the question is asked again, and the first one expires.
    const isAskedAgain = isLeftBehind({ questions }, id)
    return asker?.isBegun === false || isAskedAgain ? [] : [{ rule: `${kind} stuck`, ids: [id], words: state }]
  }),
  ...works.flatMap(({ key, surface, told, words, isBegun, place = "" }): readonly Finding[] =>
    isBegun && told === undefined && !owedPlaces.has(place)
      ? [{ rule: "work without an end", ids: [key], words: `${surface} has heard no end: “${words.slice(-200)}”` }]
      : [],
  ),
]

/** Whether the same question was asked once more, and has ended. */
export function isLeftBehind({ questions }: Pick<Facts, "questions">, id: string): boolean {
  const left = questions.find((one) => one.id === id)
  return questions.some((one) => one.id !== id && one.message === left?.message && one.status !== "pending")
}
