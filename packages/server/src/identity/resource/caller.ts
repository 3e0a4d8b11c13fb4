// Maps the claims of an accepted token to the caller: the principal, and the client that acts for them. Pure.

import type { Principal } from "@holdpoint/hub"
import { nameProblem, textProblem } from "@holdpoint/hub/internal"
import { type Claims, toPerson } from "../claims.ts"
import type { TokenIssuer } from "./issuer.ts"
import type { TokenRefusal } from "./refusals.ts"
import { scopesOf } from "./scopes.ts"

/** Who calls over HTTP, as the access token proved it. */
export interface Caller {
  readonly principal: Principal
  readonly clientId: string
  /** The token's own scopes, without those they include. */
  readonly scopes: readonly string[]
  /** The access token. Not enumerable, so that printing or copying the caller does not leak it. */
  readonly token: string
  /** When the token expires, in seconds since 1970. */
  readonly expiresAt: number
}

/** The claims that name the client: of RFC 9068, OpenID Connect, Microsoft (v1) and Okta. */
const clientClaims = ["client_id", "azp", "appid", "cid"]

export function toCaller(issuer: TokenIssuer, token: string, claims: Claims): Caller | TokenRefusal {
  const clientId = clientClaims.map((name) => claims[name]).find((value) => value !== undefined)
  if (textProblem(clientId, 2_048) !== undefined) return "no_client"
  const principal = toPrincipal(issuer, claims)
  if (principal === undefined) return "no_person"
  const caller = { principal, clientId: String(clientId), scopes: scopesOf(claims), expiresAt: Number(claims.exp) }
  return Object.defineProperty(caller, "token", { value: token, enumerable: false }) as typeof caller &
    Pick<Caller, "token">
}

function toPrincipal(issuer: TokenIssuer, claims: Claims): Principal | undefined {
  if (issuer.toPrincipal === undefined) {
    const person = toPerson(issuer, issuer.issuer, claims)
    return person.ok ? person.principal : undefined
  }
  const principal = issuer.toPrincipal(claims)
  const parts = [principal?.tenant, principal?.issuer, principal?.subject, ...(principal?.roles ?? [])]
  return parts.some((part) => nameProblem(part) !== undefined) ? undefined : principal
}
