// OAuth 2 and OpenID Connect as a kind of provider.

import type { OAuthProvider } from "@holdpoint/hub/internal"
import type { Kind } from "../kind.ts"
import { toBearer } from "./bearer.ts"
import { identifyAccount } from "./identify.ts"
import { refreshTokens } from "./refresh.ts"
import { revokeGrant } from "./revoke.ts"

export const oauthKind: Kind<OAuthProvider> = {
  // Revoking an old token may end the whole grant, including the new tokens.
  outlivesRenewal: false,
  authorize: toBearer,
  refresh: refreshTokens,
  identify: identifyAccount,
  revoke: revokeGrant,
}
