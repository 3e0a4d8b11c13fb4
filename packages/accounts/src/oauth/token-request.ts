// Sends a request to the token endpoint. tokens.ts judges the response.

import { jsonOf, judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import type { Reason } from "@holdpoint/hub"
import * as oauth from "oauth4webapi"
import { toClient, toClientAuth, toOptions } from "./client.ts"
import { reasons } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import type { Server } from "./server.ts"
import type { TokenAnswer } from "./tokens.ts"

export type TokenResponse =
  | ({ readonly kind: "answered" } & TokenAnswer)
  /** No response, or a response that says to retry later. It is unknown whether the provider acted. */
  | { readonly kind: "unclear"; readonly reason: Reason; readonly retryAfterMs?: number }

export interface TokenGrant {
  /** The value of `grant_type`. */
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

export async function askForTokens(
  registration: Registration,
  metadata: Server["metadata"],
  grant: TokenGrant,
  tools: OAuthTools,
): Promise<TokenResponse> {
  const authentication = await toClientAuth(registration.client, metadata)
  if (authentication === undefined) return { kind: "unclear", reason: reasons.unreadableKey }
  try {
    const response = await oauth.genericTokenEndpointRequest(
      metadata,
      toClient(registration, tools),
      authentication,
      grant.type,
      { ...grant.parameters, ...(registration.resource === undefined ? {} : { resource: registration.resource }) },
      toOptions(metadata.token_endpoint, tools, registration.quirks?.tokenRequest),
    )
    const unavailable = judgeAvailability(response, tools.runtime.now())
    if (unavailable !== undefined) {
      await response.body?.cancel()
      return { ...unavailable, kind: "unclear" }
    }
    return { kind: "answered", status: response.status, body: await jsonOf(response) }
  } catch (error) {
    return { kind: "unclear", reason: toReason(error) }
  }
}
