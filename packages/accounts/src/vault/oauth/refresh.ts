// Exchanges a refresh token for an access token. Only an explicit error from the provider ends a grant: an unreadable
// response leaves everything as it was.

import type { OAuthProvider, OAuthQuirks } from "@holdpoint/hub/internal"
import { isAboutClient, reasons, toProviderReason } from "../../oauth/reasons.ts"
import { resolveServer } from "../../oauth/server.ts"
import { askForTokens } from "../../oauth/token-request.ts"
import { judgeTokens } from "../../oauth/tokens.ts"
import type { ProviderRefreshResult, SecretFields, Tools } from "../kind.ts"
import { toCredentials } from "./credentials.ts"

export async function refreshTokens(
  provider: OAuthProvider,
  fields: SecretFields,
  tools: Tools,
): Promise<ProviderRefreshResult> {
  const { refresh_token } = fields
  const { quirks = {} } = provider
  if (refresh_token === undefined || quirks.refresh === "never") return { kind: "nothing" }
  const resolved = await resolveServer(provider, tools)
  if (resolved.kind !== "server") return { kind: "unknown", reason: resolved.reason }
  const requestedAt = tools.runtime.now()
  const grant = { type: "refresh_token", parameters: { refresh_token } } as const
  const response = await askForTokens(provider, resolved.server.metadata, grant, tools)
  if (response.kind === "unclear") return { ...response, kind: "unknown" }
  const answer = judgeTokens(response, quirks, "refresh")
  switch (answer.kind) {
    case "unclear":
      return { kind: "unknown", reason: answer.reason }
    case "error":
      return judgeRefusal(answer.error, quirks)
    case "tokens": {
      const grantedScopes = (fields.scope ?? "").split(" ").filter((scope) => scope !== "")
      return {
        kind: "refreshed",
        credentials: toCredentials(provider, answer.tokens, { requestedScopes: grantedScopes, requestedAt, fields }),
      }
    }
  }
}

export function judgeRefusal(error: string, { deadGrantErrors = [] }: OAuthQuirks): ProviderRefreshResult {
  if (error === "invalid_grant" || deadGrantErrors.includes(error)) return { kind: "dead", reason: reasons.grantEnded }
  // The grant is intact: the client registration is wrong, and an operator can correct it.
  if (isAboutClient(error) || isAboutRequest(error)) return { kind: "unknown", reason: reasons.clientRefused }
  return { kind: "unknown", reason: toProviderReason(error) }
}

function isAboutRequest(error: string): boolean {
  return ["invalid_request", "invalid_scope", "invalid_target"].includes(error)
}
