// Converts an identity provider's response to verified claims: exchanges the code for an ID token, and checks that
// token's signature and nonce.

import type { OAuthTools, Registration } from "@holdpoint/accounts/internal"
import { askUserinfo, type Exchange, exchangeCode, readIdToken, reasons, refuse } from "@holdpoint/accounts/internal"
import type { Claims, PersonMapping } from "./claims.ts"
import { lacksClaims } from "./claims.ts"
import type { FailedProof } from "./reasons.ts"

export type ProofResult = { readonly kind: "claims"; readonly claims: Claims } | FailedProof

export interface ProofRequest {
  readonly registration: Registration
  readonly people: PersonMapping
  readonly exchange: Exchange
}

export async function prove({ registration, people, exchange }: ProofRequest, tools: OAuthTools): Promise<ProofResult> {
  const exchangeResult = await exchangeCode(registration, exchange, tools)
  if (exchangeResult.kind !== "issued") return exchangeResult
  const { server, tokens } = exchangeResult.issued
  const { idToken, accessToken } = tokens
  const { nonce } = exchange.secrets
  if (idToken === undefined || nonce === undefined) return refuse(reasons.missingIdToken)
  const idTokenResult = await readIdToken(registration, server, { idToken, nonce, signature: "verified" }, tools)
  if (idTokenResult.kind !== "claims") return idTokenResult
  const { claims } = idTokenResult
  // OpenID Connect Core §3.1.3.7. oauth4webapi checks `azp` only for several audiences.
  if (claims.azp !== undefined && claims.azp !== registration.client.id) return refuse(reasons.wrongIdToken)
  if (server.metadata.userinfo_endpoint === undefined || !lacksClaims(people, claims)) return idTokenResult
  const userinfo = await askUserinfo(registration, server, { accessToken, subject: String(claims.sub) }, tools)
  return userinfo.kind === "claims" ? { kind: "claims", claims: { ...userinfo.claims, ...claims } } : userinfo
}
