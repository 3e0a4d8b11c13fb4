// A foreign MCP server as a kind of provider: OAuth with the authorization server and the client that the consent was
// pinned to. Never discovers another one.

import type { McpServerProvider, OAuthProvider } from "@holdpoint/hub/internal"
import { reasons } from "../../oauth/reasons.ts"
import type { Kind, SecretFields } from "../kind.ts"
import { toBearer } from "../oauth/bearer.ts"
import { refreshTokens } from "../oauth/refresh.ts"
import { revokeGrant } from "../oauth/revoke.ts"
import { readPin, toOAuthProvider } from "./pin.ts"

export const mcpServerKind: Kind<McpServerProvider> = {
  outlivesRenewal: false,
  authorize: toBearer,
  async refresh(provider, fields, tools) {
    const pinned = pinnedProvider(provider, fields)
    return pinned === undefined ? { kind: "dead", reason: reasons.grantEnded } : refreshTokens(pinned, fields, tools)
  },
  identify: async () => ({ kind: "silent" }),
  async revoke(provider, fields, tools) {
    const pinned = pinnedProvider(provider, fields)
    return pinned === undefined ? { kind: "impossible" } : revokeGrant(pinned, fields, tools)
  },
}

export function pinnedProvider(provider: McpServerProvider, fields: SecretFields): OAuthProvider | undefined {
  const pin = readPin(fields, provider)
  return pin === undefined ? undefined : toOAuthProvider(provider, pin)
}
