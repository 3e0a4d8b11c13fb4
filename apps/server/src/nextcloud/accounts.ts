// From the mode to the accounts: one for all, each person's own out of the vault, or the caller's token exchanged.

import type { Accounts } from "@holdpoint/nextcloud"
import { createSingleAccount, createVaultAccounts, scopeWords } from "@holdpoint/nextcloud"
import type { IdentityClient, TokenExchange } from "@holdpoint/sdk/identity"
import type { Fetch, Provider } from "@holdpoint/sdk/vault"
import type { Settings } from "../config.ts"
import type { AccessBy, Mode, NextcloudSettings, OidcClient } from "./settings.ts"

export const providerId = "nextcloud"

/** One pool of connections for this server. */
export function createSingle(
  { url }: NextcloudSettings,
  mode: { readonly username: string; readonly password: string },
): Accounts {
  return createSingleAccount({
    url,
    username: mode.username,
    password: mode.password,
    fetch: fetchInTime,
  })
}

/** A Nextcloud that hangs does not hold a call for longer than this. */
const patienceMs = 60_000

function fetchInTime(at: string, init: RequestInit): Promise<Response> {
  const signals = [AbortSignal.timeout(patienceMs), ...(init.signal ? [init.signal] : [])]
  return globalThis.fetch(at, { ...init, signal: AbortSignal.any(signals) })
}

export function createOwn(
  { url, name, lifetimeMs, mode, toolsets, readOnly }: NextcloudSettings,
  { hub, vault, addresses }: Pick<Parameters<typeof createVaultAccounts>[0], "hub" | "vault" | "addresses">,
): Accounts {
  // Whoever has set up a client has chosen the tools for everybody; a login flow is each person's own beginning.
  const hasClient = mode.kind === "offline" && mode.access.by !== "login_flow"
  return createVaultAccounts({
    ...{ hub, vault, addresses, url, name, lifetimeMs, provider: providerId },
    ...(hasClient ? { offers: { toolsets, readOnly } } : {}),
  })
}

export type PassThrough = Extract<Mode, { readonly kind: "pass-through" }>

/** `fetch` reaches the provider and is guarded. */
export async function createPassThrough(
  { url }: NextcloudSettings,
  mode: PassThrough,
  fetch: Fetch,
): Promise<Accounts> {
  const { byExchange, byHandingOn, createPassThroughAccounts } = await import("@holdpoint/nextcloud/pass-through")
  const { audience, people } = mode
  const tokens = mode.handOn
    ? byHandingOn(audience)
    : byExchange(await createExchange(mode, fetch), { issuer: people.issuer, audience })
  return createPassThroughAccounts({ url, tokens, fetch: fetchInTime })
}

export async function createExchange({ people, audience }: PassThrough, fetch: Fetch): Promise<TokenExchange> {
  const { createTokenExchange } = await import("@holdpoint/sdk/identity")
  return createTokenExchange({ issuer: people.issuer, client: toIdentityClient(people), target: audience, fetch })
}

export const toIdentityClient = ({ clientId, clientSecret }: OidcClient): IdentityClient => ({
  id: clientId,
  ...(clientSecret === undefined ? {} : { secret: clientSecret }),
})

/** Whoever sets a callback address has registered that one at Nextcloud. */
export async function toProvider(
  { url, ownAccount }: NextcloudSettings,
  access: AccessBy,
  callbackUrl: string | undefined,
): Promise<Provider> {
  const { nextcloudLogin, nextcloudOAuth, nextcloudOidc } = await import("@holdpoint/sdk/providers")
  const at = { server: url, id: providerId, name: `Nextcloud (${new URL(url).host})` }
  const made =
    access.by === "login_flow"
      ? nextcloudLogin({ ...at, ownAccount })
      : access.by === "oauth"
        ? nextcloudOAuth({ ...at, ...access })
        : nextcloudOidc({ ...at, ...access })
  const worded = { ...made, scopeWords: { ...made.scopeWords, ...scopeWords } }
  return worded.kind === "oauth" && callbackUrl !== undefined ? { ...worded, redirect: "single" } : worded
}

/** Nextcloud and the provider that were named may be reached wherever they are: whoever starts the server has said so. */
export function networkOf({ url, mode }: NextcloudSettings, { network }: Settings): Settings["network"] {
  const named = [url, ...("people" in mode && mode.people !== undefined ? [mode.people.discovery] : [])]
  return { ...network, alsoAllow: [...(network.alsoAllow ?? []), ...named.map((address) => new URL(address).hostname)] }
}
