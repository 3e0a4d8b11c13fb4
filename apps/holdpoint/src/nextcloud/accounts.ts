// Creates the accounts of each mode: one for all, each person's own from the vault, or the caller's token exchanged.

import type { Fetch, Provider } from "@holdpoint/hub/internal"
import type { Accounts } from "@holdpoint/nextcloud"
import { createSingleAccount, createVaultAccounts, scopeWords } from "@holdpoint/nextcloud"
import type { IdentityClient, TokenExchange } from "@holdpoint/server/identity"
import type { Settings } from "../config.ts"
import type { AccessBy, Mode, NextcloudSettings, OidcClient } from "./settings.ts"

export const providerId = "nextcloud"

/** One account for all callers. */
export function createSingle(
  { url }: NextcloudSettings,
  mode: { readonly username: string; readonly password: string },
): Accounts {
  return createSingleAccount({
    url,
    username: mode.username,
    password: mode.password,
    fetch: fetchWithTimeout,
  })
}

/** A response of Nextcloud has to begin within this time, because most MCP clients give up after a minute. */
const timeoutMs = 30_000

async function fetchWithTimeout(address: string, init: RequestInit): Promise<Response> {
  const timeLimit = new AbortController()
  const timer = setTimeout(
    () => timeLimit.abort(new DOMException("Nextcloud did not begin to answer in time.", "TimeoutError")),
    timeoutMs,
  )
  const signals = [timeLimit.signal, ...(init.signal ? [init.signal] : [])]
  try {
    return await globalThis.fetch(address, { ...init, signal: AbortSignal.any(signals) })
  } finally {
    clearTimeout(timer)
  }
}

export function createPersonalAccounts(
  { url, name, lifetimeMs, mode, toolsets, readOnly }: NextcloudSettings,
  { hub, vault, addresses }: Pick<Parameters<typeof createVaultAccounts>[0], "hub" | "vault" | "addresses">,
): Accounts {
  // An administrator who registered an OAuth client chose everyone's tools; with a login flow each person chooses.
  const hasClient = mode.kind === "offline" && mode.access.by !== "login_flow"
  return createVaultAccounts({
    ...{ hub, vault, addresses, url, name, lifetimeMs, provider: providerId },
    ...(hasClient ? { offers: { toolsets, readOnly } } : {}),
  })
}

export type PassThrough = Extract<Mode, { readonly kind: "pass-through" }>

/** Creates the accounts of pass-through mode. `fetch` is the guarded fetch for the identity provider. */
export async function createPassThrough(
  { url }: NextcloudSettings,
  mode: PassThrough,
  fetch: Fetch,
): Promise<Accounts> {
  const { byExchange, byForwarding, createPassThroughAccounts } = await import("@holdpoint/nextcloud/pass-through")
  const { audience, people } = mode
  const tokens = mode.forwardsTokens
    ? byForwarding(audience)
    : byExchange(await createExchange(mode, fetch), { issuer: people.issuer, audience })
  return createPassThroughAccounts({ url, tokens, fetch: fetchWithTimeout })
}

export async function createExchange({ people, audience }: PassThrough, fetch: Fetch): Promise<TokenExchange> {
  const { createTokenExchange } = await import("@holdpoint/server/identity")
  return createTokenExchange({ issuer: people.issuer, client: toIdentityClient(people), target: audience, fetch })
}

export const toIdentityClient = ({ clientId, clientSecret }: OidcClient): IdentityClient => ({
  id: clientId,
  ...(clientSecret === undefined ? {} : { secret: clientSecret }),
})

/** The provider with which people connect accounts. A `callbackUrl` is the one redirect URI registered at Nextcloud. */
export async function toProvider(
  { url, ownAccount }: NextcloudSettings,
  access: AccessBy,
  callbackUrl: string | undefined,
): Promise<Provider> {
  const { nextcloudLogin, nextcloudOAuth, nextcloudOidc } = await import("@holdpoint/accounts/providers")
  const server = { server: url, id: providerId, name: `Nextcloud (${new URL(url).host})` }
  const provider =
    access.by === "login_flow"
      ? nextcloudLogin({ ...server, ownAccount })
      : access.by === "oauth"
        ? nextcloudOAuth({ ...server, ...access })
        : nextcloudOidc({ ...server, ...access })
  const providerWithScopeWords = { ...provider, scopeWords: { ...provider.scopeWords, ...scopeWords } }
  return providerWithScopeWords.kind === "oauth" && callbackUrl !== undefined
    ? { ...providerWithScopeWords, redirect: "single" }
    : providerWithScopeWords
}

/** The configured Nextcloud and identity provider may be on any network, because the operator named them. */
export function networkOf({ url, mode }: NextcloudSettings, { network }: Settings): Settings["network"] {
  const configuredUrls = [url, ...("people" in mode && mode.people !== undefined ? [mode.people.discovery] : [])]
  return {
    ...network,
    alsoAllow: [...(network.alsoAllow ?? []), ...configuredUrls.map((address) => new URL(address).hostname)],
  }
}
