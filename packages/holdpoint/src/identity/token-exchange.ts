// A caller's token for one of another server, by the provider that issued it (RFC 8693). Kept in memory for as long as it
// lasts, asked for once at a time. No token is in what is thrown, reported or printed.

import type { AuthorizationServer, Client } from "oauth4webapi"
import {
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "oauth4webapi"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"
import { hashOf } from "../sealing/hash.ts"
import { requestOptions } from "./discovery.ts"
import { toAuthentication } from "./exchange.ts"
import type { IdentityClient } from "./provider.ts"
import { endpointOf, keepServer } from "./resource/discover.ts"

export interface TokenExchangeOptions {
  /** Exactly as its metadata says it. */
  readonly issuer: string
  /** Who we are to it. */
  readonly client: IdentityClient
  /** For whom the tokens are to be: an address is sent as `resource`, any other name as `audience`. */
  readonly target: string
  /** Guarded: it decides which addresses are reached. */
  readonly fetch: Fetch
  readonly runtime?: Pick<Runtime, "now">
}

export interface TokenExchange {
  exchange(token: string): Promise<Exchanged>
  /** What came of this token was refused: the next time it is exchanged again. */
  forget(token: string): void
  /** Whether the provider's metadata speaks of it. Rejects when it cannot be read. */
  isOffered(): Promise<"yes" | "no" | "unsaid">
}

export type Exchanged =
  | { readonly ok: true; readonly token: string; readonly isNew: boolean }
  | { readonly ok: false; readonly reason: ExchangeRefusal }

/**
 * `not_offered`: the provider does not do this. `client`: it does not let us. `target`: it makes no tokens for this
 * server. `token`: it does not accept the caller's. `unavailable`: nobody knows, and it may be over soon.
 */
export type ExchangeRefusal = "not_offered" | "client" | "target" | "token" | "unavailable"

export const tokenExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
const accessToken = "urn:ietf:params:oauth:token-type:access_token"

interface Kept {
  readonly answer: Promise<Answer>
  until: number
}

type Answer =
  | { readonly ok: true; readonly token: string; readonly seconds: number }
  | { readonly ok: false; readonly reason: ExchangeRefusal }

/** More are forgotten, the oldest first. */
const mostKept = 10_000
/** Used no more when it has less than this left. */
const reserveMs = 30_000
/** Where the provider does not say how long they last. */
const usualSeconds = 90

export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  const now = options.runtime?.now ?? Date.now
  const server = keepServer(options.issuer, options.fetch, now)
  const known = new Map<string, Kept>()

  const ask = (key: string, token: string): Kept => {
    const kept: Kept = { answer: askFor(token, server.get, options), until: Infinity }
    known.delete(key)
    known.set(key, kept)
    for (const oldest of known.keys()) if (known.size > mostKept) known.delete(oldest)
    void kept.answer.then((answer) => {
      if (answer.ok) kept.until = now() + answer.seconds * 1_000 - reserveMs
      // A refusal counts for those who asked at the same time, and for nobody after them.
      else if (known.get(key) === kept) known.delete(key)
    })
    return kept
  }

  return {
    async exchange(token) {
      const key = hashOf(token)
      const before = known.get(key)
      const isNew = before === undefined || before.until <= now()
      const answer = await (isNew ? ask(key, token) : before).answer
      return answer.ok ? { ok: true, token: answer.token, isNew } : answer
    },
    forget: (token) => void known.delete(hashOf(token)),
    async isOffered() {
      const { grant_types_supported: grants } = await server.get()
      return grants === undefined ? "unsaid" : grants.includes(tokenExchangeGrant) ? "yes" : "no"
    },
  }
}

async function askFor(
  token: string,
  discover: () => Promise<AuthorizationServer>,
  options: TokenExchangeOptions,
): Promise<Answer> {
  const { issuer, client, fetch } = options
  try {
    const server = await discover()
    if (server.grant_types_supported?.includes(tokenExchangeGrant) === false)
      return { ok: false, reason: "not_offered" }
    endpointOf(issuer, server.token_endpoint, "token_endpoint")
    const us: Client = { client_id: client.id }
    const response = await genericTokenEndpointRequest(
      server,
      us,
      toAuthentication({ client }),
      tokenExchangeGrant,
      toParameters(token, options.target),
      requestOptions(issuer, fetch),
    )
    const { access_token, expires_in } = await processGenericTokenEndpointResponse(server, us, response)
    return { ok: true, token: access_token, seconds: expires_in ?? usualSeconds }
  } catch (error) {
    // The library's errors carry what was received, tokens among it: they end here.
    return { ok: false, reason: refusalOf(error) }
  }
}

function toParameters(token: string, target: string): Record<string, string> {
  const isAddress = /^https?:\/\//i.test(target)
  return {
    subject_token: token,
    subject_token_type: accessToken,
    requested_token_type: accessToken,
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

function refusalOf(error: unknown): ExchangeRefusal {
  if (error instanceof WWWAuthenticateChallengeError) return "client"
  if (!(error instanceof ResponseBodyError)) return "unavailable"
  if (error.status >= 500) return "unavailable"
  return Object.hasOwn(refusals, error.error) ? (refusals[error.error] ?? "token") : "token"
}
