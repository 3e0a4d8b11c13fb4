// Maps the claims of an accepted token to the caller: the principal, and the client that acts for them. Pure.

import type { Principal } from "@holdpoint/hub"
import type { Caller } from "@holdpoint/hub/internal"
import { nameProblem, textProblem } from "@holdpoint/hub/internal"
import { type Claims, toPerson } from "../claims.ts"
import type { TokenIssuer } from "./issuer.ts"
import type { TokenRefusal } from "./refusals.ts"
import { scopesOf } from "./scopes.ts"

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
