// Single-account mode: every caller uses the same account, with a name and an app password from the environment. No
// consent.

import type { Fetch } from "../api/client.ts"
import { createNextcloud } from "../api/client.ts"
import type { Accounts } from "./accounts.ts"

export interface SingleAccount {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly fetch: Fetch
}

/** Gives every caller the same Nextcloud account. */
export function createSingleAccount({ url, username, password, fetch }: SingleAccount): Accounts {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
  const facts = {}
  const nextcloud = createNextcloud({
    url,
    facts,
    unauthorizedAdvice,
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { "ocs-apirequest": "true", ...headersOf(init), authorization } }),
  })
  return { open: async () => nextcloud, find: async () => nextcloud }
}

const unauthorizedAdvice =
  "Do not try again; tell the user that NEXTCLOUD_USERNAME and NEXTCLOUD_PASSWORD of this server have to be corrected."

const headersOf = ({ headers }: RequestInit): Record<string, string> => (headers ?? {}) as Record<string, string>
