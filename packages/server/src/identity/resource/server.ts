// An OAuth 2.1 resource server: identifies HTTP callers by access tokens that were issued for this server only. It
// issues no tokens and passes none on.

import { HoldpointError } from "@holdpoint/hub"
import type { Caller, ResourceServer } from "@holdpoint/hub/internal"
import { decodeJwt } from "jose"
import { readBearer } from "./bearer.ts"
import { toCaller } from "./caller.ts"
import { createChallenges } from "./challenge.ts"
import { createIntrospectionVerify } from "./introspection.ts"
import { defaultToleranceSeconds, type TokenIssuer } from "./issuer.ts"
import type { ExpectedClaims } from "./judge.ts"
import { createJwtVerify } from "./jwt.ts"
import { createLocalKeys, createRemoteKeys } from "./keys.ts"
import { createMetadataPage, metadataUrlOf } from "./metadata.ts"
import { assertOptions, type ResourceServerOptions } from "./options.ts"
import { refusals, type Verify } from "./refusals.ts"
import { covers, scopeProblems } from "./scopes.ts"

interface TrustedIssuer {
  readonly issuer: TokenIssuer
  readonly verify: Verify
}

/** Creates a resource server, which checks access tokens: who calls, and whether the token is for this server. */
export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  assertOptions(options)
  const { resource, issuers, scopes = [], requires = [], includes = {}, name, documentation, report } = options
  const metadataUrl = metadataUrlOf(resource)
  const challenges = createChallenges(metadataUrl, requires)
  const trustedIssuers = new Map(
    issuers.map((issuer) => [issuer.issuer, { issuer, verify: createVerify(issuer, options) }]),
  )
  const challenge = (caller: Caller, requiredScopes: readonly string[]): Response | undefined => {
    for (const { message } of scopeProblems("", requiredScopes))
      throw new HoldpointError("invalid_config", `A list ${message}.`)
    const scopes = [...new Set([...requires, ...requiredScopes])]
    return covers(caller.scopes, scopes, includes) ? undefined : challenges.insufficient(scopes)
  }

  return {
    resource,
    metadataUrl,
    metadata: createMetadataPage({
      ...{ resource, issuers: issuers.map(({ issuer }) => issuer), scopes },
      ...(name === undefined ? {} : { name }),
      ...(documentation === undefined ? {} : { documentation }),
    }),
    async authenticate(request) {
      const bearer = readBearer(request)
      if (bearer.kind === "none") return challenges.unauthenticated()
      if (bearer.kind === "malformed") return challenges.malformed(bearer.message)
      const { token } = bearer
      const chosen = chooseIssuer(trustedIssuers, token)
      if (chosen === undefined) return challenges.refused(refusals.unknown_issuer)
      const verdict = await chosen.verify(token).catch((error: unknown) => {
        report?.(`checking a token of ${chosen.issuer.issuer}`, error)
      })
      if (verdict === undefined) return challenges.unavailable()
      if (!verdict.ok) return challenges.refused(refusals[verdict.refusal])
      const caller = toCaller(chosen.issuer, token, verdict.claims)
      if (typeof caller === "string") return challenges.refused(refusals[caller])
      return challenge(caller, []) ?? caller
    },
    challenge,
  }
}

/** A JWT is verified by the rules of the issuer it names. Opaque tokens are introspected. */
function chooseIssuer(trustedIssuers: ReadonlyMap<string, TrustedIssuer>, token: string): TrustedIssuer | undefined {
  const issuerName = issuerNamedBy(token)
  if (issuerName !== undefined) return trustedIssuers.get(issuerName)
  return [...trustedIssuers.values()].find(({ issuer }) => issuer.verify.by === "introspection")
}

function issuerNamedBy(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token)
    return typeof iss === "string" ? iss : undefined
  } catch {
    return undefined
  }
}

function createVerify(issuer: TokenIssuer, options: ResourceServerOptions): Verify {
  const { verify, clockToleranceSeconds: toleranceSeconds = defaultToleranceSeconds } = issuer
  const { runtime = { now: Date.now } } = options
  const tools = { fetch: options.fetch, runtime }
  const audiences = issuer.audience === undefined ? spellingsOf(options.resource) : [issuer.audience]
  const expect = (): ExpectedClaims => ({
    issuer: issuer.issuer,
    audiences,
    nowSeconds: runtime.now() / 1_000,
    toleranceSeconds,
  })
  switch (verify.by) {
    case "jwt":
      return createJwtVerify(verify, createRemoteKeys(issuer.issuer, verify, tools), expect)
    case "keys":
      return createJwtVerify(verify, createLocalKeys(verify), expect)
    case "introspection":
      return createIntrospectionVerify(issuer.issuer, verify, tools, expect)
  }
}

/** RFC 3986 §6.2.3: a slash after a bare host makes no difference, and clients add it. Nothing else is normalised. */
function spellingsOf(resource: string): readonly string[] {
  const { origin, pathname } = new URL(resource)
  return pathname === "/" ? [origin, `${origin}/`] : [resource]
}
