// What went wrong, in words for the person.

import { ClientError } from "@holdpoint/sdk/client"
import { isSignedOut } from "./refusals.ts"
import type { Say } from "./texts.ts"

export function wordsOf(error: unknown, say: Say): string {
  if (error instanceof ClientError && error.code === "unreachable") return say("unreachable")
  if (isSignedOut(error)) return say("notSignedIn")
  return error instanceof Error ? error.message : String(error)
}
