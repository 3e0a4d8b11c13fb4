// From the mode to the accounts: one for all, each person's own out of the vault, or the caller's token exchanged.

import type { Accounts } from "@holdpoint/nextcloud"
import { createSingleAccount, createVaultAccounts, scopeWords } from "@holdpoint/nextcloud"
import type { Hub } from "holdpoint"
import type { Provider, Vault } from "holdpoint/vault"
import type { Settings } from "../config.ts"
import type { AccessBy, NextcloudSettings } from "./settings.ts"

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
    fetch: (at, init) => fetch(at, init),
  })
}

export function createOwn(
  { url, name, lifetimeMs }: NextcloudSettings,
  made: { readonly hub: Hub; readonly vault: () => Promise<Vault> },
): Accounts {
  return createVaultAccounts({ ...made, url, name, lifetimeMs, provider: providerId })
}

export async function toProvider({ url }: NextcloudSettings, access: AccessBy): Promise<Provider> {
  const { nextcloudLogin, nextcloudOAuth, nextcloudOidc } = await import("holdpoint/providers")
  const at = { server: url, id: providerId, name: `Nextcloud (${new URL(url).host})` }
  const made =
    access.by === "login_flow"
      ? nextcloudLogin(at)
      : access.by === "oauth"
        ? nextcloudOAuth({ ...at, ...access })
        : nextcloudOidc({ ...at, ...access })
  return { ...made, scopeWords: { ...made.scopeWords, ...scopeWords } }
}

/** The Nextcloud that was named may be reached wherever it is: whoever starts the server has said so. */
export function networkOf({ url }: NextcloudSettings, { network }: Settings): Settings["network"] {
  const { hostname } = new URL(url)
  return { ...network, alsoAllow: [...(network.alsoAllow ?? []), hostname] }
}
