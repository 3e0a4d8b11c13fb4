// Who sits in front of `holdpoint try`: somebody at the terminal, or a scripted alice who goes through the pages.

import type { User } from "./client.ts"

export interface Person extends User {
  /** Which of these; the first unless they say otherwise. */
  choose(words: string, options: readonly string[]): Promise<number>
  agrees(words: string): Promise<boolean>
  /** What they want while a call waits. It may never come. */
  wants(signal: AbortSignal): Promise<"again" | "cancel">
}
