// Repeats an action that appends to something, when another writer changed it in between. The action reads the current
// state each time that it runs.

import { setTimeout } from "node:timers/promises"
import { isNextcloudError } from "./api/error.ts"

const mostTries = 6

export async function retryOnConflict<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < mostTries; tries++) {
    try {
      return await action()
    } catch (error) {
      if (!isNextcloudError(error) || error.kind !== "conflict") throw error
    }
    // A random backoff: two writers with the same pause would keep colliding.
    await setTimeout(Math.random() * 50 * tries)
  }
  return action()
}
