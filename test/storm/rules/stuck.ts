// Nothing is left under way after the quiet period.

import type { Finding, Rule } from "../facts.ts"

export const stuck: Rule = ({ open, works }) => [
  ...open.map(({ kind, id, state }): Finding => ({ rule: `${kind} stuck`, ids: [id], words: state })),
  ...works.flatMap(({ key, surface, told, isBegun }): readonly Finding[] =>
    isBegun && told === undefined
      ? [{ rule: "work without an end", ids: [key], words: `${surface} has heard no end` }]
      : [],
  ),
]
