// Asks the userinfo endpoint (OpenID Connect Core §5.3) about the account of an access token.

import { judgeAvailability, toReason } from "@holdpoint/fetching/internal"
import * as oauth from "oauth4webapi"
import { toClient, toOptions } from "./client.ts"
import type { ClaimsResult } from "./id-token.ts"
import { reasons, refuse } from "./reasons.ts"
import type { OAuthTools, Registration } from "./registration.ts"
import type { Server } from "./server.ts"

export interface UserinfoRequest {
  readonly accessToken: string
  /** The subject of the ID token. Undefined accepts any subject. */
  readonly subject: string | undefined
}

export async function askUserinfo(
  registration: Registration,
  { metadata }: Server,
  { accessToken, subject }: UserinfoRequest,
  tools: OAuthTools,
): Promise<ClaimsResult> {
  const client = toClient(registration, tools)
  try {
    const options = toOptions(metadata.userinfo_endpoint, tools)
    const response = await oauth.userInfoRequest(metadata, client, accessToken, options)
    const unavailable = judgeAvailability(response, tools.runtime.now())
    if (unavailable !== undefined) return unavailable
    if (response.status >= 400) return refuse(reasons.credentialsRefused)
    const expected = subject ?? oauth.skipSubjectCheck
    return { kind: "claims", claims: await oauth.processUserInfoResponse(metadata, client, expected, response) }
  } catch (error) {
    return judgeFailure(error)
  }
}

/** Judges an error of the library. Only the code is read, because the error contains the server's response. */
function judgeFailure(error: unknown): ClaimsResult {
  const code = error instanceof oauth.OperationProcessingError ? error.code : undefined
  // OpenID Connect Core §5.3.2: claims of a subject other than the ID token's must not be used.
  if (code === oauth.JSON_ATTRIBUTE_COMPARISON) return refuse(reasons.wrongAccount)
  if (error instanceof oauth.WWWAuthenticateChallengeError) return refuse(reasons.credentialsRefused)
  return { kind: "unavailable", reason: code === undefined ? toReason(error) : reasons.unreadableIdentity }
}
