// No process ends by itself, fails to end when it is asked, or prints what no server should print.

import type { Finding, Rule } from "../facts.ts"

const awayWords = /cannot be reached|storage is closed|no room|disk is full|ENOSPC|SQLITE_FULL/

const takenWords = /Port \d+ of \S+ is taken/

export const processes: Rule = (facts) => [
  ...facts.processes.flatMap(({ node, isAsked, how, lastWords }): readonly Finding[] => {
    // One that is asked to end while its database is away says so, and that it failed.
    if (isAsked && how === "1" && awayWords.test(lastWords)) return []
    // Another program of the machine was faster, and the node is started again on another port.
    if (takenWords.test(lastWords)) return []
    const rule = isAsked ? "process ended wrongly" : "process ended by itself"
    return [{ rule, ids: [node], words: `with ${how}, after: ${lastWords.trim()}` }]
  }),
  ...facts.outputs.map(
    ({ node, line }): Finding => ({ rule: "output of a fault", ids: [node], words: line.trim().slice(0, 400) }),
  ),
]
