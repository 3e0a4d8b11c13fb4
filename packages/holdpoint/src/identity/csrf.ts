// What a form of ours carries, to tell it from a form of somebody else: derived from the session, kept nowhere.

import { createHmac } from "node:crypto"
import { isSameText } from "./hash.ts"

export function csrfToken(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("holdpoint form").digest("base64url")
}

export function isCsrfToken(sessionToken: string, given: string | undefined): boolean {
  return given !== undefined && isSameText(csrfToken(sessionToken), given)
}
