// Processes on one engine with different numbers of pending questions.

import type { Child } from "../child.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import type { StandingCommands } from "./standing-child.ts"

export interface StandingQuestions {
  readonly pending: number
  readonly child: Child<StandingCommands>
}

/** Growth is measured from `some` to `many`. */
export interface Crowd {
  readonly engine: EngineName
  readonly all: readonly StandingQuestions[]
  readonly some: StandingQuestions
  readonly many: StandingQuestions
}

/** The cost with `many` divided by the cost with `some`: linear is the quotient of the two numbers, constant is 1. */
export function toGrowth(crowd: Crowd, what: string, baseline: string, growth: number): Result {
  const name = `${crowd.engine}/growth/${crowd.many.pending}/${what}`
  return { name, value: growth, unit: "x", baseline: `${crowd.engine}/${baseline}` }
}
