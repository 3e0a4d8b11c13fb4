// Verifies JWT access tokens, signed by a key of their issuer (RFC 9068).

import { errors, jwtVerify } from "jose"
import type { ByJwt, ByKeys } from "./issuer.ts"
import type { ExpectedClaims } from "./judge.ts"
import { judgeClaims } from "./judge.ts"
import type { FindKey } from "./keys.ts"
import { refuse, type TokenRefusal, type Verdict, type Verify } from "./refusals.ts"

/** Asymmetric algorithms only: with a symmetric one, every verifier could also forge tokens. */
export const signatureAlgorithms: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
  ...["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
]

export function createJwtVerify(issuer: ByJwt | ByKeys, findKey: FindKey, expect: () => ExpectedClaims): Verify {
  const algorithms = [...(issuer.algorithms ?? signatureAlgorithms)]
  return async (token): Promise<Verdict> => {
    const expected = expect()
    const { toleranceSeconds: clockTolerance, nowSeconds } = expected
    try {
      const currentDate = new Date(nowSeconds * 1_000)
      const { payload, protectedHeader } = await jwtVerify(token, findKey, { algorithms, clockTolerance, currentDate })
      if (!isMarked(protectedHeader.typ, issuer.typ ?? "at+jwt")) return refuse("not_access")
      const verdict = judgeClaims(payload, expected)
      if (!verdict.ok || issuer.by !== "keys" || issuer.isRevoked === undefined) return verdict
      return (await issuer.isRevoked(verdict.claims)) ? refuse("inactive") : verdict
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal === undefined) throw error
      return refuse(refusal)
    }
  }
}

/** Whether `typ` marks an access token (RFC 9068 §4), not an ID-JAG, a logout token or a DPoP proof. */
function isMarked(typ: unknown, expectedType: "at+jwt" | "JWT"): boolean {
  if (typ === undefined) return expectedType === "JWT"
  const mediaType = String(typ)
    .toLowerCase()
    .replace(/^application\//, "")
  return mediaType === "at+jwt" || (expectedType === "JWT" && mediaType === "jwt")
}

const byCode: Readonly<Record<string, TokenRefusal>> = {
  [errors.JWTExpired.code]: "expired",
  [errors.JWTInvalid.code]: "unreadable",
  [errors.JWSInvalid.code]: "unreadable",
  [errors.JOSEAlgNotAllowed.code]: "signature",
  [errors.JOSENotSupported.code]: "signature",
  [errors.JWSSignatureVerificationFailed.code]: "signature",
  [errors.JWKSNoMatchingKey.code]: "signature",
  [errors.JWKSMultipleMatchingKeys.code]: "signature",
}

/** The refusal for an error of jose. Undefined when the error is not about the token. */
function refusalOf(error: unknown): TokenRefusal | undefined {
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === "nbf" ? "not_yet_valid" : "lifetime"
  return error instanceof errors.JOSEError ? byCode[error.code] : undefined
}
