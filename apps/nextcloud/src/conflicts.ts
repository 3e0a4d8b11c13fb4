// Adding to what others write at the same time: what is there now is read again, and the addition is made to that.

import { setTimeout } from "node:timers/promises"
import { isNextcloudError } from "./api/error.ts"

const mostTries = 6

export async function afterConflicts<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < mostTries; tries++) {
    try {
      return await act()
    } catch (error) {
      if (!isNextcloudError(error) || error.kind !== "conflict") throw error
    }
    // Two who write in turns would meet again and again.
    await setTimeout(Math.random() * 50 * tries)
  }
  return act()
}
