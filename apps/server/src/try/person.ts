// The person in front of `holdpoint try`: a user at the terminal, or a scripted alice who visits the pages.

import type { User } from "./client.ts"

export interface Person extends User {
  /** The index of the chosen option; the first is the default. */
  choose(words: string, options: readonly string[]): Promise<number>
  confirm(words: string): Promise<boolean>
  /** What the person wants while a call waits. May never resolve. */
  next(signal: AbortSignal): Promise<"again" | "cancel">
}
