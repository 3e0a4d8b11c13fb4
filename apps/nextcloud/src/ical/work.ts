// How much is done for rules that strangers wrote: it is counted, and ends with words when it is too much.

import { isNextcloudError, nextcloudError } from "../api/error.ts"

export interface Work {
  /** Throws when nothing is left. */
  spend(steps: number): void
}

/** For one series: some 20 ms. A rule of days needs 65,000 steps for 175 years; one of hours 190,000 for a year. */
export const mostForSeries = 200_000

/** For all series of one call. */
export const mostForCall = 20 * mostForSeries

/** What is done for one series counts for the call as well. */
export function createWork(most: number, whole?: Work): Work {
  let left = most
  return {
    spend(steps) {
      whole?.spend(steps)
      left -= steps
      if (left < 0) throw tooOften()
    },
  }
}

export const tooOften = (): Error =>
  nextcloudError("unsupported", {
    doing: "following the recurrence rule",
    because: "it repeats too often to be followed",
    advice: "Ask for a shorter range. If that fails too, tell the user to simplify the rule in Nextcloud.",
  })

export const isTooOften = (error: unknown): boolean => isNextcloudError(error) && error.kind === "unsupported"
