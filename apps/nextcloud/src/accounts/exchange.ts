// Pass-through mode: stores nothing and asks for no consent. Each caller's token is exchanged for one that Nextcloud
// accepts. Forwarding the caller's own token is opt-in, and only for tokens that name both audiences.

import type { ExchangeRefusal, TokenExchange } from "@holdpoint/server/identity"
import type { ServerContext } from "@modelcontextprotocol/server"
import type { Fetch } from "../api/client.ts"
import { createNextcloud } from "../api/client.ts"
import { nextcloudError } from "../api/error.ts"
import type { Nextcloud } from "../api/nextcloud.ts"
import type { Accounts, Caller } from "./accounts.ts"
import { createFactsCache } from "./vault.ts"

/** Finds a Nextcloud token for each caller's token. `get` throws an error with the reason when there is none. */
export interface CallerTokens {
  get(token: string): Promise<{ readonly token: string; readonly isNew: boolean }>
  /** Drops the cached Nextcloud token of this caller's token, because Nextcloud refused it. */
  forget(token: string): void
}

/** The options of `createPassThroughAccounts`. */
export interface PassThrough {
  /** The base address of Nextcloud, with its path and without a trailing slash. */
  readonly url: string
  readonly fetch: Fetch
  readonly tokens: CallerTokens
}

/** Reaches each caller's own Nextcloud account with a token made from the caller's. Stores nothing. */
export function createPassThroughAccounts({ url, fetch, tokens }: PassThrough): Accounts {
  const factsCache = createFactsCache()
  const toNextcloud = ({ principal }: Caller, token: string): Nextcloud =>
    createNextcloud({
      url,
      facts: factsCache.get(JSON.stringify([principal?.issuer, principal?.tenant, principal?.subject])),
      fetch: createTokenFetch(fetch, tokens, token),
      unauthorizedAdvice,
    })
  return {
    async open(ask) {
      const token = tokenOf(ask.context)
      if (token === undefined)
        throw refusal("the request carries no access token", "Call this server over HTTP, with an access token.")
      // `get` throws for a caller without access, before the tool asks or does anything.
      await tokens.get(token)
      return toNextcloud({ principal: ask.caller }, token)
    },
    async find(caller) {
      const token = tokenOf(caller.context)
      if (token === undefined) return undefined
      await tokens.get(token)
      return toNextcloud(caller, token)
    },
  }
}

const tokenOf = (context: ServerContext | undefined): string | undefined => context?.http?.authInfo?.token

const unauthorizedAdvice =
  "Nextcloud refuses the token for this user. Do not try again; tell the user that an administrator has to check how " +
  "Nextcloud accepts tokens of the identity provider (app user_oidc, bearer validation, its audience)."

/**
 * Returns a fetch that adds the Nextcloud token. A cached token may have expired, so a 401 is retried once with a new
 * token. This is safe for writes too, because Nextcloud does nothing with a request that it answers with 401.
 */
function createTokenFetch(fetch: Fetch, tokens: CallerTokens, callerToken: string): Fetch {
  const send = (address: string, init: RequestInit, token: string): Promise<Response> =>
    fetch(address, {
      ...init,
      headers: { ...headersOf(init), "ocs-apirequest": "true", authorization: `Bearer ${token}` },
    })
  return async (address, init) => {
    const firstToken = await tokens.get(callerToken)
    const response = await send(address, init, firstToken.token)
    if (response.status !== 401) return response
    tokens.forget(callerToken)
    if (firstToken.isNew) return response
    const secondToken = await tokens.get(callerToken)
    if (secondToken.token === firstToken.token) return response
    await response.body?.cancel()
    return send(address, init, secondToken.token)
  }
}

const headersOf = ({ headers }: RequestInit): Record<string, string> => (headers ?? {}) as Record<string, string>

/** Exchanges each caller's token for a Nextcloud token (RFC 8693). `issuer` and `audience` appear only in messages. */
export function byExchange(
  exchange: TokenExchange,
  names: { readonly issuer: string; readonly audience: string },
): CallerTokens {
  return {
    async get(token) {
      const result = await exchange.exchange(token)
      if (result.ok) return result
      throw toExchangeError(result.reason, names)
    },
    forget: (token) => exchange.forget(token),
  }
}

function toExchangeError(
  reason: ExchangeRefusal,
  names: { readonly issuer: string; readonly audience: string },
): Error {
  if (reason === "unavailable") {
    const because = `${names.issuer}, which exchanges the caller's token for a Nextcloud token, returns no usable response`
    return nextcloudError("unavailable", { activity, because, advice: "Try again later." })
  }
  const { because, advice } = refusals[reason]
  return refusal(`${names.issuer} ${because(names.audience)}`, `${tellAdministrator} ${advice(names.audience)}`)
}

const activity = "getting access to Nextcloud"
const tellAdministrator = "Do not try again; tell the user that an administrator has to act:"

const refusal = (because: string, advice: string): Error => nextcloudError("forbidden", { activity, because, advice })

const otherAdvice = "or let people connect their own accounts (ENABLE_OFFLINE_ACCESS=true)"

type AudienceText = (audience: string) => string

const refusals: Readonly<
  Record<Exclude<ExchangeRefusal, "unavailable">, { readonly because: AudienceText; readonly advice: AudienceText }>
> = {
  not_offered: {
    because: () => "does not exchange tokens (RFC 8693)",
    advice: () => `enable token exchange there, ${otherAdvice}.`,
  },
  client: {
    because: () => "does not let this server exchange tokens",
    advice: () => "check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and allow this client to exchange tokens there.",
  },
  target: {
    because: (audience) => `issues no tokens for “${audience}”`,
    advice: () => "set NEXTCLOUD_AUDIENCE to what the provider calls Nextcloud, and allow this client to ask for it.",
  },
  token: {
    because: () => "does not accept the caller's token for an exchange",
    advice: () =>
      "check that this client may exchange callers' tokens (see their audience), and that they have not expired.",
  },
}

/**
 * Forwards the caller's own token to Nextcloud. MCP forbids token passthrough, so this accepts only tokens that were
 * issued for Nextcloud as well.
 */
export function byForwarding(audience: string): CallerTokens {
  return {
    async get(token) {
      if ((await audiencesOf(token)).includes(audience)) return { token, isNew: true }
      throw refusal(
        `the caller's token was issued for this server but not for “${audience}”, so it is not forwarded`,
        `${tellAdministrator} have the provider name both in the audience of the tokens; if it can exchange tokens, remove ` +
          `NEXTCLOUD_HAND_ON_TOKENS; ${otherAdvice}.`,
      )
    },
    forget() {},
  }
}

/** The audiences of a token. Its signature was verified when the request arrived. */
async function audiencesOf(token: string): Promise<readonly unknown[]> {
  const payload = new Response(Buffer.from(token.split(".")[1] ?? "", "base64url"))
  const claims: unknown = await payload.json().catch(() => undefined)
  return typeof claims === "object" && claims !== null && "aud" in claims ? [claims.aud].flat() : []
}
