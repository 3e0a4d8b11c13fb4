// The pages of one person in local mode, with a browser that keeps cookies, for tests of connecting an account.

import type { Fetch, Provider } from "@holdpoint/accounts"
import { createVault } from "@holdpoint/accounts"
import type { Runtime } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createPages, type Pages } from "../../src/http/index.ts"
import { createLocalIdentity } from "../../src/identity/index.ts"

export const publicUrl = "https://hub.example"

export interface SiteOptions {
  readonly provider: Provider
  readonly fetch: Fetch
  /** For calls with the connection; `fetch` by default. */
  readonly apiFetch?: Fetch
  readonly runtime?: Runtime
  readonly at?: string
}

export function openSite(options: SiteOptions) {
  const { provider, fetch, apiFetch = fetch, runtime = systemRuntime, at = publicUrl } = options
  const storage = createMemoryStorage()
  const addresses = createAddresses(at)
  const problems: string[] = []
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  const hub = createHub({ storage, outlets: [inbox()], report })
  const vault = createVault({
    ...{ storage, report, addresses, questions: hub, runtime, fetch, apiFetch },
    sealer: createSealer(withNewKey()),
    providers: [provider],
  })
  const identity = createLocalIdentity({ storage, user: "alice", secret: new Uint8Array(32), runtime: systemRuntime })
  const me = identity.principal
  const pages = createPages({ hub, vault, identity, addresses, report })
  const firstQuestion = async (): Promise<string> => {
    for (;;) {
      const [first] = await hub.list({ tenant: me.tenant, principal: me, state: "open", limit: 1 })
      if (first !== undefined) return first.id
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return {
    ...{ vault, me, hub, pages, storage, problems },
    browser: { ...openBrowser(pages, at), firstQuestion },
    async close() {
      await vault.close()
      await hub.close()
    },
  }
}

function openBrowser(pages: Pages, at: string) {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { host: new URL(at).host, cookie, "sec-fetch-site": "same-origin" }
    const response = await pages.fetch(
      new Request(`${at}${path}`, { ...init, headers: { ...init.headers, ...headers } }),
    )
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    const location = response.headers.get("location") ?? ""
    return { status: response.status, location, text: await response.text() }
  }
  return {
    get: (path: string) => send(path, {}),
    post: (path: string, fields: Readonly<Record<string, string>>) =>
      send(path, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
  }
}

export const fieldIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ""
export const csrfIn = (text: string): string => fieldIn(text, "csrf")
export const departureIn = (text: string): string =>
  (/http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")
