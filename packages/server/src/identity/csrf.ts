// The CSRF token of the pages' forms: derived from the session, never stored.

import { createHmac } from "node:crypto"

export function csrfToken(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("holdpoint form").digest("base64url")
}
