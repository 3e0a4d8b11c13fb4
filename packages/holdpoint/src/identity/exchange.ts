// The answer of the identity provider, from the address it arrived at to claims that are proven. Throws what
// reasons.ts understands.

import type { AuthorizationServer, Client, ClientAuth } from "oauth4webapi"
import {
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi"
import { HoldpointError } from "../core/error.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Claims } from "./claims.ts"
import { lacksClaims } from "./claims.ts"
import { requestOptions } from "./discovery.ts"
import type { IdentityProvider } from "./provider.ts"
import { clientAuthenticationOf } from "./provider.ts"

export interface Exchange {
  readonly provider: IdentityProvider
  readonly server: AuthorizationServer
  readonly parameters: URLSearchParams
  readonly state: string
  readonly redirectUri: string
  readonly verifier: string
  readonly nonce: string
}

/** The token comes straight from its issuer and is used once: clocks that differ by this much are no reason to refuse. */
const toleratedSeconds = 300

export async function exchange(answer: Exchange, fetch: Fetch, runtime: Runtime): Promise<Claims> {
  const { provider, server, parameters, state, redirectUri, verifier, nonce } = answer
  const client = toClient(provider, runtime)
  const options = requestOptions(provider.issuer, fetch)
  const judged = validateAuthResponse(server, client, parameters, state)
  const authentication = toAuthentication(provider)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    judged,
    redirectUri,
    verifier,
    options,
  )
  const tokens = await processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await validateApplicationLevelSignature(server, response, options)
  const claims = { ...getValidatedIdTokenClaims(tokens) }
  assertAuthorizedParty(claims, client.client_id)
  if (server.userinfo_endpoint === undefined || !lacksClaims(provider, claims)) return claims
  const more = await userInfoRequest(server, client, tokens.access_token, options)
  return { ...(await processUserInfoResponse(server, client, String(claims.sub), more)), ...claims }
}

function toClient({ client }: IdentityProvider, runtime: Runtime): Client {
  return {
    client_id: client.id,
    [clockSkew]: Math.round((runtime.now() - Date.now()) / 1_000),
    [clockTolerance]: toleratedSeconds,
  }
}

/** Who we are to the provider, as it wants to be told. */
export function toAuthentication({ client }: Pick<IdentityProvider, "client">): ClientAuth {
  switch (clientAuthenticationOf(client)) {
    case "none":
      return None()
    case "basic":
      return ClientSecretBasic(client.secret ?? "")
    case "post":
      return ClientSecretPost(client.secret ?? "")
  }
}

/** OpenID Connect Core §3.1.3.7: also where there is one audience only, for which the library does not look at it. */
function assertAuthorizedParty({ azp }: Claims, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new HoldpointError("not_signed_in", "The ID token was issued to another client.")
}
