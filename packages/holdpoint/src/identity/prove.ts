// Converts an identity provider's response to verified claims: checks the signature, the nonce and this server's own
// token request.

import { type Exchange, exchangeCode } from "../oauth/exchange.ts"
import { readIdToken } from "../oauth/id-token.ts"
import { reasons, refuse } from "../oauth/reasons.ts"
import type { OAuthTools, Registration } from "../oauth/registration.ts"
import { askUserinfo } from "../oauth/userinfo.ts"
import type { Claims, PersonMapping } from "./claims.ts"
import { lacksClaims } from "./claims.ts"
import type { Unproven } from "./reasons.ts"

export type Proven = { readonly kind: "claims"; readonly claims: Claims } | Unproven

export interface ProofRequest {
  readonly registration: Registration
  readonly people: PersonMapping
  readonly exchange: Exchange
}

export async function prove({ registration, people, exchange }: ProofRequest, tools: OAuthTools): Promise<Proven> {
  const exchanged = await exchangeCode(registration, exchange, tools)
  if (exchanged.kind !== "issued") return exchanged
  const { server, tokens } = exchanged.issued
  const { idToken, accessToken } = tokens
  const { nonce } = exchange.secrets
  if (idToken === undefined || nonce === undefined) return refuse(reasons.missingIdToken)
  const stated = await readIdToken(registration, server, { idToken, nonce, signature: "verified" }, tools)
  if (stated.kind !== "claims") return stated
  const { claims } = stated
  // OpenID Connect Core §3.1.3.7. The library checks `azp` only for several audiences.
  if (claims.azp !== undefined && claims.azp !== registration.client.id) return refuse(reasons.wrongIdToken)
  if (server.metadata.userinfo_endpoint === undefined || !lacksClaims(people, claims)) return stated
  const more = await askUserinfo(registration, server, { accessToken, subject: String(claims.sub) }, tools)
  return more.kind === "claims" ? { kind: "claims", claims: { ...more.claims, ...claims } } : more
}
