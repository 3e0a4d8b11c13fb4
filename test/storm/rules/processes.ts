// No process ends by itself, fails to end when it is asked, or prints what no server should print.

import type { Finding, Rule } from "../facts.ts"

export const processes: Rule = (facts) => [
  ...facts.processes.map(
    ({ node, isAsked, how, lastWords }): Finding => ({
      rule: isAsked ? "process ended wrongly" : "process ended by itself",
      ids: [node],
      words: `with ${how}, after: ${lastWords.trim()}`,
    }),
  ),
  ...facts.outputs.map(
    ({ node, line }): Finding => ({ rule: "output of a fault", ids: [node], words: line.trim().slice(0, 400) }),
  ),
]
