// Judges whether claims are those of a current access token for this server. The same rules apply to signed and
// introspected tokens. Pure.

import type { Claims } from "../claims.ts"
import { refuse, type TokenRefusal, type Verdict } from "./refusals.ts"

export interface ExpectedClaims {
  readonly issuer: string
  /** One of these must be in `aud`, compared exactly. */
  readonly audiences: readonly string[]
  readonly nowSeconds: number
  readonly toleranceSeconds: number
}

type Rule = readonly [TokenRefusal, (claims: Claims, expected: ExpectedClaims) => boolean]

/** The reasons to refuse a token, each with its condition. The first condition that is true counts. */
const rules: readonly Rule[] = [
  ["unknown_issuer", ({ iss }, { issuer }) => iss !== issuer],
  ["audience", ({ aud }, { audiences }) => ![aud].flat().some((audience) => audiences.includes(audience as string))],
  ["lifetime", ({ exp }) => !isTime(exp)],
  ["expired", ({ exp }, { nowSeconds, toleranceSeconds }) => Number(exp) <= nowSeconds - toleranceSeconds],
  ["not_yet_valid", ({ nbf }, expected) => nbf !== undefined && !hasPassed(nbf, expected)],
  ["not_yet_valid", ({ iat }, expected) => iat !== undefined && !hasPassed(iat, expected)],
  ["not_access", (claims) => isOtherKind(claims)],
  ["bound", ({ cnf }) => cnf !== undefined],
]

export function judgeClaims(claims: Claims, expected: ExpectedClaims): Verdict {
  const broken = rules.find(([, isBroken]) => isBroken(claims, expected))
  return broken === undefined ? { ok: true, claims } : refuse(broken[0])
}

/**
 * Recognises ID tokens by claims that only they have (OpenID Connect Core §2, §3.3.2.11), and other kinds by what
 * Keycloak (`typ`), Cognito and Hydra (`token_use`) and introspection (`token_type`) state.
 */
function isOtherKind(claims: Claims): boolean {
  if (["nonce", "at_hash", "c_hash", "s_hash"].some((name) => Object.hasOwn(claims, name))) return true
  const isAbsentOrAllowed = (name: string, allowed: RegExp): boolean => {
    const value = claims[name]
    return value === undefined || (typeof value === "string" && allowed.test(value))
  }
  return !(
    isAbsentOrAllowed("typ", /^(?:bearer|at\+jwt)$/i) &&
    isAbsentOrAllowed("token_use", /^access(?:_token)?$/i) &&
    isAbsentOrAllowed("token_type", /^(?:bearer|access_token)$/i)
  )
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const hasPassed = (value: unknown, { nowSeconds, toleranceSeconds }: ExpectedClaims): boolean =>
  isTime(value) && value <= nowSeconds + toleranceSeconds
