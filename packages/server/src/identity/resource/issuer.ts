// Accepted token issuers as data: how their tokens are verified and how their people are mapped. Tenant and roles work
// as for sign-in, so that a person is the same principal either way.

import { isEndpoint, isLoopbackHttp } from "@holdpoint/accounts/internal"
import type { Principal, Problem } from "@holdpoint/hub"
import { textProblem } from "@holdpoint/hub/internal"
import type { JSONWebKeySet } from "jose"
import type { Claims } from "../claims.ts"
import type { IdentityClient, IdentityProvider } from "../provider.ts"
import { clientProblems, issuerProblems, tenantProblems, unknownNames } from "../provider.ts"
import { signatureAlgorithms } from "./jwt.ts"

/** An authorization server whose tokens are accepted, and how they are verified. */
export interface TokenIssuer {
  /** The issuer's identifier, exactly as in its metadata and tokens. */
  readonly issuer: string
  /** One tenant for all people of the issuer, or the claim that names it. Only a sole issuer may omit `allowed`. */
  readonly tenant: IdentityProvider["tenant"]
  readonly roles?: NonNullable<IdentityProvider["roles"]>
  readonly verify: ByJwt | ByIntrospection | ByKeys
  /** The expected `aud` claim. Default: the resource. */
  readonly audience?: string
  /** Replaces the mapping by tenant, issuer and `sub`. Returning undefined refuses the token. */
  readonly toPrincipal?: (claims: Claims) => Principal | undefined
  /** The accepted clock difference. Default: 30. */
  readonly clockToleranceSeconds?: number
}

interface SignedIssuer {
  /** Accepted asymmetric algorithms. Default: all. */
  readonly algorithms?: readonly string[]
  /** The required `typ` header, `at+jwt` by default (RFC 9068). With `JWT`, that type or none is accepted too. */
  readonly typ?: "at+jwt" | "JWT"
}

/** Signed tokens, verified with the issuer's published keys. */
export interface ByJwt extends SignedIssuer {
  readonly by: "jwt"
  /** The address of the issuer's keys. Default: the one in its metadata. */
  readonly jwksUri?: string
}

/** Signed tokens of an authorization server in this process. */
export interface ByKeys extends SignedIssuer {
  readonly by: "keys"
  /** The public keys. Return the same object until they change. */
  readonly keys: () => JSONWebKeySet | Promise<JSONWebKeySet>
  /** Called at each use of a valid token, since a signature does not show revocation. */
  readonly isRevoked?: (claims: Claims) => Promise<boolean>
}

/** Opaque tokens, verified by introspection. */
export interface ByIntrospection {
  readonly by: "introspection"
  /** Our client at the issuer, with a secret. */
  readonly client: IdentityClient
  /** The address for introspection. Default: the one in the issuer's metadata. */
  readonly endpoint?: string
  /** How long a response is cached, and a revoked token may still work. Default: 10 seconds. */
  readonly cacheMs?: number
}

export const defaultToleranceSeconds = 30

const fields = ["issuer", "tenant", "roles", "verify", "audience", "toPrincipal", "clockToleranceSeconds"]

export function* tokenIssuerProblems(issuer: TokenIssuer): Generator<Problem> {
  yield* unknownNames("", issuer, fields)
  yield* issuerProblems(issuer.issuer)
  yield* tenantProblems(issuer.tenant)
  if (issuer.roles !== undefined) yield* unknownNames("roles.", issuer.roles, ["claim", "fixed"])
  if (issuer.audience !== undefined && textProblem(issuer.audience, 2_048) !== undefined)
    yield { path: "audience", message: "must be text, exactly as in the aud claim of the tokens" }
  const { clockToleranceSeconds: tolerance = defaultToleranceSeconds } = issuer
  if (!(tolerance >= 0 && tolerance <= 300))
    yield {
      path: "clockToleranceSeconds",
      message: "must be from 0 to 300: clocks that differ by more have to be corrected",
    }
  yield* verifyProblems(issuer)
}

function* verifyProblems({ verify, issuer }: TokenIssuer): Generator<Problem> {
  switch (verify?.by) {
    case "jwt":
      yield* unknownNames("verify.", verify, ["by", "jwksUri", "algorithms", "typ"])
      yield* addressProblems("verify.jwksUri", verify.jwksUri, issuer)
      return yield* signedProblems(verify)
    case "keys":
      yield* unknownNames("verify.", verify, ["by", "keys", "isRevoked", "algorithms", "typ"])
      if (typeof verify.keys !== "function")
        yield { path: "verify.keys", message: "must be a function that returns a key set" }
      if (verify.isRevoked !== undefined && typeof verify.isRevoked !== "function")
        yield { path: "verify.isRevoked", message: "must be a function that is given the claims" }
      return yield* signedProblems(verify)
    case "introspection":
      yield* unknownNames("verify.", verify, ["by", "client", "endpoint", "cacheMs"])
      yield* addressProblems("verify.endpoint", verify.endpoint, issuer)
      for (const problem of clientProblems(verify.client)) yield { ...problem, path: `verify.${problem.path}` }
      if (verify.client?.secret === undefined)
        yield {
          path: "verify.client.secret",
          message: "is required: issuers introspect tokens only for registered clients",
        }
      if (!((verify.cacheMs ?? 0) >= 0 && (verify.cacheMs ?? 0) <= 300_000))
        yield { path: "verify.cacheMs", message: "must be from 0 to 300000: a revoked token still works for this long" }
      return
    default:
      yield { path: "verify.by", message: "must be jwt, introspection or keys" }
  }
}

function* signedProblems({ algorithms, typ = "at+jwt" }: SignedIssuer): Generator<Problem> {
  const unfitAlgorithm = algorithms?.find((algorithm) => !signatureAlgorithms.includes(algorithm))
  if (unfitAlgorithm !== undefined || algorithms?.length === 0)
    yield {
      path: "verify.algorithms",
      message: `must contain only asymmetric algorithms: ${signatureAlgorithms.join(", ")}`,
    }
  if (typ !== "at+jwt" && typ !== "JWT") yield { path: "verify.typ", message: "must be at+jwt or JWT" }
}

function* addressProblems(path: string, address: string | undefined, issuer: string): Generator<Problem> {
  if (address !== undefined && !isEndpoint(address, isLoopbackHttp(issuer)))
    yield { path, message: "must be an https address, or one on this machine if the issuer is there as well" }
}
