// The text that tells the person what went wrong.

import { ClientError } from "@holdpoint/client"
import { isSignedOut } from "./refusals.ts"
import type { Translate } from "./texts.ts"

export function errorText(error: unknown, translate: Translate): string {
  if (error instanceof ClientError && error.code === "unreachable") return translate("unreachable")
  if (isSignedOut(error)) return translate("notSignedIn")
  return error instanceof Error ? error.message : String(error)
}
