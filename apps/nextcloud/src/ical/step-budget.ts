// A budget of steps for expanding untrusted recurrence rules: throws when it is used up.

import { isNextcloudError, nextcloudError } from "../api/error.ts"

export interface StepBudget {
  /** Takes steps from the budget. Throws when it is used up. */
  spend(steps: number): void
}

/**
 * The step limit of one series, about 20 ms. A daily rule needs 65,000 steps for 175 years, an hourly rule 190,000 for
 * a year.
 */
export const mostForSeries = 200_000

/** The step limit of all series of one call together. */
export const mostForCall = 20 * mostForSeries

/** Creates a budget. Steps also count against the budget of the whole call. */
export function createStepBudget(maxSteps: number, callBudget?: StepBudget): StepBudget {
  let remaining = maxSteps
  return {
    spend(steps) {
      callBudget?.spend(steps)
      remaining -= steps
      if (remaining < 0) throw tooOften()
    },
  }
}

export const tooOften = (): Error =>
  nextcloudError("unsupported", {
    activity: "expanding the recurrence rule",
    because: "it repeats too often to be expanded",
    advice: "Ask for a shorter range. If that fails too, tell the user to simplify the rule in Nextcloud.",
  })

export const isTooOften = (error: unknown): boolean => isNextcloudError(error) && error.kind === "unsupported"
