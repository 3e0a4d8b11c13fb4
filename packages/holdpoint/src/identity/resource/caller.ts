// Who calls: from the claims of an accepted token to a principal here, and the client that acts for them. Pure.

import type { Principal } from "../../core/principal.ts"
import { nameProblem, textProblem } from "../../core/text.ts"
import { type Claims, toPerson } from "../claims.ts"
import type { TokenIssuer } from "./issuer.ts"
import type { TokenRefusal } from "./refusals.ts"
import { scopesOf } from "./scopes.ts"

export interface Caller {
  readonly principal: Principal
  readonly clientId: string
  /** As the token says them, without what they include. */
  readonly scopes: readonly string[]
  /** Neither printed nor copied with the rest: it must not go anywhere from here. */
  readonly token: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** RFC 9068's, OpenID Connect's, and those of Microsoft (v1) and Okta. */
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
  const made = issuer.toPrincipal(claims)
  const parts = [made?.tenant, made?.issuer, made?.subject, ...(made?.roles ?? [])]
  return parts.some((part) => nameProblem(part) !== undefined) ? undefined : made
}
