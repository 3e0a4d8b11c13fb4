// Maps an identity provider's claims to a person: principal, name and e-mail address. Pure.

import type { Claims } from "@holdpoint/accounts/internal"
import type { Principal } from "@holdpoint/hub"
import { nameProblem, textProblem, valueAt } from "@holdpoint/hub/internal"
import type { IdentityProvider } from "./provider.ts"
import { defaultNameClaims } from "./provider.ts"

export type { Claims }

/** The mapping from claims to a person, used for sign-ins and for tokens. */
export type PersonMapping = Pick<IdentityProvider, "tenant" | "roles" | "nameClaims">

export type Person =
  | { readonly ok: true; readonly principal: Principal; readonly name?: string; readonly email?: string }
  | { readonly ok: false; readonly code: "tenant_not_allowed" | "sign_in_invalid" }

export function toPerson(provider: PersonMapping, issuer: string, claims: Claims): Person {
  const { sub: subject } = claims
  if (typeof subject !== "string" || nameProblem(subject) !== undefined) return { ok: false, code: "sign_in_invalid" }
  const tenant = tenantOf(provider, claims)
  if (tenant === undefined) return { ok: false, code: "tenant_not_allowed" }
  const name = nameOf(provider, claims)
  const roles = rolesOf(provider, subject, claims)
  const principal = { tenant, issuer, subject, ...(roles.length === 0 ? {} : { roles }) }
  const email = emailOf(claims)
  return { ok: true, principal, ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) }
}

/** Whether a needed claim is missing. Many providers return some claims only at the userinfo endpoint. */
export function lacksClaims(provider: PersonMapping, claims: Claims): boolean {
  const { tenant, roles } = provider
  const requiredClaims = [typeof tenant === "string" ? undefined : tenant.claim, roles?.claim]
  return (
    requiredClaims.some((path) => path !== undefined && readClaim(claims, path) === undefined) ||
    nameOf(provider, claims) === undefined
  )
}

/**
 * Reads the claim with exactly this name, or else the value at the dotted path. Claim names may contain dots
 * themselves.
 */
export function readClaim(claims: Claims, path: string): unknown {
  return Object.hasOwn(claims, path) ? claims[path] : valueAt(claims, path)
}

function tenantOf({ tenant }: PersonMapping, claims: Claims): string | undefined {
  if (typeof tenant === "string") return tenant
  const claimed = readClaim(claims, tenant.claim)
  if (typeof claimed !== "string" || nameProblem(claimed) !== undefined) return undefined
  return tenant.allowed === undefined || tenant.allowed.includes(claimed) ? claimed : undefined
}

function rolesOf({ roles }: PersonMapping, subject: string, claims: Claims): readonly string[] {
  const claimed = roles?.claim === undefined ? [] : [readClaim(claims, roles.claim)].flat()
  const fixed = roles?.fixed !== undefined && Object.hasOwn(roles.fixed, subject) ? (roles.fixed[subject] ?? []) : []
  const usable = [...claimed, ...fixed].filter((role): role is string => nameProblem(role) === undefined)
  return [...new Set(usable)]
}

/**
 * Returns the e-mail address only if it is verified: anyone can claim an unverified address (OpenID Connect Core §5.1).
 */
function emailOf({ email, email_verified: isVerified }: Claims): string | undefined {
  const isUsable = isVerified === true && typeof email === "string" && /^[^\s@<>]+@[^\s@<>]+$/.test(email)
  return isUsable && nameProblem(email) === undefined ? email : undefined
}

function nameOf({ nameClaims = defaultNameClaims }: PersonMapping, claims: Claims): string | undefined {
  return nameClaims
    .map((path) => readClaim(claims, path))
    .find((name): name is string => textProblem(name, 200) === undefined)
}
