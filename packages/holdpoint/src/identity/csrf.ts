// What a form of ours carries, to tell it from a form of somebody else: derived from the session, kept nowhere.

import { createHmac } from "node:crypto"

export function csrfToken(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("holdpoint form").digest("base64url")
}
