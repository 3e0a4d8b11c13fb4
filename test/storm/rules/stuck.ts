// Nothing is left under way after the quiet period.

import { type Finding, keyPattern, type Rule } from "../facts.ts"

export const stuck: Rule = ({ open, works, owedPlaces }) => [
  ...open.flatMap(({ kind, id, state }): readonly Finding[] => {
    // The question of a client that gave up its call stays open until it expires, and its run waits until then.
    const asker = works.find(({ key }) => key === keyPattern.exec(state)?.[0])
    return asker?.isBegun === false ? [] : [{ rule: `${kind} stuck`, ids: [id], words: state }]
  }),
  ...works.flatMap(({ key, surface, told, words, isBegun, place = "" }): readonly Finding[] =>
    isBegun && told === undefined && !owedPlaces.has(place)
      ? [{ rule: "work without an end", ids: [key], words: `${surface} has heard no end: “${words.slice(-200)}”` }]
      : [],
  ),
]
