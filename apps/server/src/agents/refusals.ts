// The calls that a person did not allow in the reply under way. They are not asked about the same call again, whatever
// id the model gives it, and whichever agent repeats it.

import type { ToolCall } from "./model-step.ts"

export interface Refusals {
  /** Whether the same call was refused in an earlier step, here or above. */
  has(call: ToolCall): boolean
  add(call: ToolCall): void
  /**
   * Called at the end of a step. What was refused counts from then on: calls of one step run in any order, and a run
   * that is continued has to ask the same questions again.
   */
  settle(): void
}

/** `above` are those of the agent that called this one. */
export function createRefusals(above?: Refusals): Refusals {
  const known = new Set<string>()
  const added = new Set<string>()
  return {
    has: (call) => known.has(contentOf(call)) || above?.has(call) === true,
    add(call) {
      added.add(contentOf(call))
      above?.add(call)
    },
    settle() {
      for (const one of added) known.add(one)
    },
  }
}

const contentOf = ({ tool, input }: ToolCall): string => JSON.stringify([tool, input])
