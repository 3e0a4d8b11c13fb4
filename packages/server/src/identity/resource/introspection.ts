// Verifies opaque tokens by introspection (RFC 7662). Responses are cached briefly, so that not every request of
// a busy client needs another one. A revoked token works until the cached response has expired.

import type { OAuthTools } from "@holdpoint/accounts/internal"
import { toClientAuth, toOptions } from "@holdpoint/accounts/internal"
import { hashOf } from "@holdpoint/hub/internal"
import type { AuthorizationServer } from "oauth4webapi"
import { introspectionRequest, processIntrospectionResponse, ResponseBodyError } from "oauth4webapi"
import type { Claims } from "../claims.ts"
import { toOAuthClient } from "../registration.ts"
import { cacheServer, unfitIssuerError } from "./discover.ts"
import type { ByIntrospection } from "./issuer.ts"
import type { ExpectedClaims } from "./judge.ts"
import { judgeClaims } from "./judge.ts"
import { refuse, type Verify } from "./refusals.ts"

export const defaultCacheMs = 10_000

/** The cache size; the oldest entries are dropped. */
const mostKept = 10_000

interface Answer {
  readonly requestedAt: number
  readonly claims: Promise<Claims | undefined>
}

export function createIntrospectionVerify(
  issuer: string,
  introspection: ByIntrospection,
  tools: OAuthTools,
  expect: () => ExpectedClaims,
): Verify {
  const { now } = tools.runtime
  const { endpoint, cacheMs = defaultCacheMs } = introspection
  const server = cacheServer(issuer, { introspection_endpoint: true }, tools)
  const resolve = async (): Promise<AuthorizationServer> =>
    endpoint === undefined ? server.get() : { issuer, introspection_endpoint: endpoint }
  const answers = new Map<string, Answer>()

  const ask = (token: string): Promise<Claims | undefined> => {
    const key = hashOf(token)
    const cached = answers.get(key)
    if (cached !== undefined && Math.abs(now() - cached.requestedAt) < cacheMs) return cached.claims
    const answer = {
      requestedAt: now(),
      claims: resolve().then((metadata) => introspect(metadata, introspection, token, tools)),
    }
    answers.delete(key)
    answers.set(key, answer)
    for (const oldestKey of answers.keys()) if (answers.size > mostKept) answers.delete(oldestKey)
    answer.claims.catch(() => {
      if (answers.get(key) === answer) answers.delete(key)
    })
    return answer.claims
  }

  return async (token) => {
    const claims = await ask(token)
    // Judged at each use: a cached token may have expired since.
    return claims === undefined ? refuse("inactive") : judgeClaims({ iss: issuer, ...claims }, expect())
  }
}

/** Errors about the token itself (RFC 7009 §2.2.1, RFC 6750 §3.1), not about our client or an outage. */
const aboutTheToken: ReadonlySet<string> = new Set(["unsupported_token_type", "invalid_token"])

/** The token's claims, from its issuer. Undefined when the token is not active. */
async function introspect(
  server: AuthorizationServer,
  { client }: ByIntrospection,
  token: string,
  tools: OAuthTools,
): Promise<Claims | undefined> {
  const clientParameters = { client_id: client.id }
  try {
    // Never undefined: the client has a secret and no key that could be unreadable.
    const authentication = (await toClientAuth(toOAuthClient(client), server))!
    const additionalParameters = { token_type_hint: "access_token" }
    const options = { ...toOptions(server.introspection_endpoint, tools), additionalParameters }
    const response = await introspectionRequest(server, clientParameters, authentication, token, options)
    const { active, ...claims } = await processIntrospectionResponse(server, clientParameters, response)
    return active ? claims : undefined
  } catch (error) {
    if (error instanceof ResponseBodyError && aboutTheToken.has(error.error)) return undefined
    // The library's errors contain the response, so only the code is repeated.
    throw unfitIssuerError(
      server.issuer,
      `introspection gave no answer, or one that cannot be understood (${codeOf(error)})`,
    )
  }
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code ?? "no code")
