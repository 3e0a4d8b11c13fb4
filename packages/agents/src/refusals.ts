// The calls that a person did not allow in the current reply. The person is not asked about the same call again, even
// if its id differs or another agent repeats it.

import type { ToolCall } from "./model-step.ts"

export interface Refusals {
  /** Whether the same call was refused in an earlier step of this agent, or of an agent above it. */
  has(call: ToolCall): boolean
  add(call: ToolCall): void
  /**
   * Ends a step. Refusals count only from then on: the calls of one step run in any order, and a resumed run has to ask
   * the same questions again.
   */
  settle(): void
}

/** `above` contains the refusals of the agent that called this one. */
export function createRefusals(above?: Refusals): Refusals {
  const settled = new Set<string>()
  const added = new Set<string>()
  return {
    has: (call) => settled.has(contentOf(call)) || above?.has(call) === true,
    add(call) {
      added.add(contentOf(call))
      above?.add(call)
    },
    settle() {
      for (const one of added) settled.add(one)
    },
  }
}

const contentOf = ({ tool, input }: ToolCall): string => JSON.stringify([tool, input])
