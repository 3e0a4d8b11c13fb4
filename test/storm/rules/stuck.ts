// Nothing is left under way after the quiet period.

import type { Finding, Rule } from "../facts.ts"

export const stuck: Rule = ({ open, works, owedPlaces }) => [
  ...open.map(({ kind, id, state }): Finding => ({ rule: `${kind} stuck`, ids: [id], words: state })),
  ...works.flatMap(({ key, surface, told, words, isBegun, place = "" }): readonly Finding[] =>
    isBegun && told === undefined && !owedPlaces.has(place)
      ? [{ rule: "work without an end", ids: [key], words: `${surface} has heard no end: “${words.slice(-200)}”` }]
      : [],
  ),
]
