// Exchanges a caller's token for a token of another server, at the provider that issued it (RFC 8693). Results are
// cached in memory while they are valid, with one request at a time. Errors and logs contain no token.

import type { OAuthTools, Registration, Server } from "@holdpoint/accounts/internal"
import { askForTokens, judgeTokens } from "@holdpoint/accounts/internal"
import type { Runtime } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { hashOf } from "@holdpoint/hub/internal"
import type { IdentityClient } from "./provider.ts"
import { toOAuthClient } from "./registration.ts"
import { cacheServer } from "./resource/discover.ts"

/** What `createTokenExchange` is given. */
export interface TokenExchangeOptions {
  /** The issuer of the callers' tokens, exactly as in its metadata. */
  readonly issuer: string
  /** Our client at the provider. */
  readonly client: IdentityClient
  /** The target of the new token: an address is sent as `resource`, any other name as `audience`. */
  readonly target: string
  /** A guarded fetch, which decides which addresses may be reached. */
  readonly fetch: Fetch
  readonly runtime?: Pick<Runtime, "now">
}

/** Exchanges callers' tokens for tokens of another service. */
export interface TokenExchange {
  exchange(token: string): Promise<TokenExchangeResult>
  /** Drops the cached token after the other service refused it, so that the caller's token is exchanged again. */
  forget(token: string): void
  /** Whether the provider's metadata lists token exchange. Rejects when it cannot be read. */
  isOffered(): Promise<"yes" | "no" | "unsaid">
}

export type TokenExchangeResult =
  | { readonly ok: true; readonly token: string; readonly isNew: boolean }
  | { readonly ok: false; readonly reason: ExchangeRefusal }

/**
 * Why a token was not exchanged. `not_offered`: the provider does not exchange tokens. `client`: it does not let this
 * client do it. `target`: it issues no tokens for that service. `token`: it does not accept the caller's token.
 * `unavailable`: it could not be reached, and may be back soon.
 */
export type ExchangeRefusal = "not_offered" | "client" | "target" | "token" | "unavailable"

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

interface CachedAnswer {
  readonly answer: Promise<Answer>
  until: number
}

type Answer =
  | { readonly ok: true; readonly token: string; readonly seconds: number }
  | { readonly ok: false; readonly reason: ExchangeRefusal }

/** The cache size; the oldest entries are dropped. */
const mostKept = 10_000
/** A cached token with less than this time left is not used. */
const reserveMs = 30_000
/** The assumed lifetime when the provider names none. */
const usualSeconds = 90

/** Exchanges a caller's token for one that another service accepts (RFC 8693). */
export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  const { issuer, client, target, fetch, runtime = { now: Date.now } } = options
  const { now } = runtime
  const tools = { fetch, runtime }
  const uses = { token_endpoint: true }
  const server = cacheServer(issuer, uses, tools)
  const registration = { issuer, discovery: "either", pkce: "none", client: toOAuthClient(client), uses } as const
  const cache = new Map<string, CachedAnswer>()

  const ask = (key: string, token: string): CachedAnswer => {
    const cached: CachedAnswer = {
      answer: askFor(registration, server.get, toParameters(token, target), tools),
      until: Infinity,
    }
    cache.delete(key)
    cache.set(key, cached)
    for (const oldestKey of cache.keys()) if (cache.size > mostKept) cache.delete(oldestKey)
    // A refusal is returned to concurrent callers only, and not cached.
    const forget = (): void => {
      if (cache.get(key) === cached) cache.delete(key)
    }
    cached.answer.then((answer) => {
      if (answer.ok) cached.until = now() + answer.seconds * 1_000 - reserveMs
      else forget()
    }, forget)
    return cached
  }

  return {
    async exchange(token) {
      const key = hashOf(token)
      const cached = cache.get(key)
      const isNew = cached === undefined || cached.until <= now()
      const answer = await (isNew ? ask(key, token) : cached).answer
      return answer.ok ? { ok: true, token: answer.token, isNew } : answer
    },
    forget: (token) => void cache.delete(hashOf(token)),
    async isOffered() {
      const { grant_types_supported: grants } = await server.get()
      return grants === undefined ? "unsaid" : grants.includes(tokenExchangeGrant) ? "yes" : "no"
    },
  }
}

async function askFor(
  registration: Registration,
  discover: () => Promise<Server["metadata"]>,
  parameters: Readonly<Record<string, string>>,
  tools: OAuthTools,
): Promise<Answer> {
  try {
    const metadata = await discover()
    if (metadata.grant_types_supported?.includes(tokenExchangeGrant) === false) return refuse("not_offered")
    const response = await askForTokens(registration, metadata, { type: tokenExchangeGrant, parameters }, tools)
    if (response.kind === "unclear") return refuse("unavailable")
    const answer = judgeTokens(response, {}, "exchange")
    if (answer.kind === "unclear") return refuse("unavailable")
    if (answer.kind === "error") return refuse(refusalOf(answer.error))
    const { accessToken, lifetime = usualSeconds } = answer.tokens
    return { ok: true, token: accessToken, seconds: lifetime }
  } catch {
    // The metadata cannot be fetched.
    return refuse("unavailable")
  }
}

const refuse = (reason: ExchangeRefusal) => ({ ok: false, reason }) as const

function toParameters(token: string, target: string): Record<string, string> {
  const isAddress = /^https?:\/\//i.test(target)
  return {
    subject_token: token,
    subject_token_type: accessTokenType,
    requested_token_type: accessTokenType,
    ...(isAddress ? { resource: target } : { audience: target }),
  }
}

/** RFC 6749 §5.2, RFC 8693 §2.2.2. Keycloak says access_denied where the client may not exchange. */
const refusals: Readonly<Record<string, ExchangeRefusal>> = {
  unsupported_grant_type: "not_offered",
  unauthorized_client: "client",
  invalid_client: "client",
  access_denied: "client",
  invalid_target: "target",
  invalid_scope: "target",
  invalid_grant: "token",
  invalid_token: "token",
  invalid_request: "token",
}

const refusalOf = (error: string): ExchangeRefusal =>
  (Object.hasOwn(refusals, error) ? refusals[error] : undefined) ?? "token"
