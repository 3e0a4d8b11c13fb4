// Every preset through the whole flow: asked for by a tool, said yes to on our page and at the provider, used, and
// disconnected. The provider is a mock of what its documents say.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAddresses } from "../../src/core/addresses.ts"
import { toOwner } from "../../src/core/connection.ts"
import { createPages, type Pages } from "../../src/http/index.ts"
import { createHub } from "../../src/hub/hub.ts"
import { inbox } from "../../src/hub/inbox.ts"
import { systemRuntime } from "../../src/hub/runtime.ts"
import { createLocalIdentity } from "../../src/identity/index.ts"
import { createSealer, withNewKey } from "../../src/sealing/index.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { createVault } from "../../src/vault/index.ts"
import { type Mocks, startMocks } from "../vault/providers/mock.ts"
import { type PresetRow, presetRows } from "../vault/providers/preset-rows.ts"

const publicUrl = "https://hub.example"
const addresses = createAddresses(publicUrl)

describe("a preset", () => {
  let mocks: Mocks
  beforeAll(async () => {
    mocks = await startMocks(presetRows.map(({ played }) => played))
  })
  afterAll(() => mocks.close())

  it.each(presetRows.map((row) => [row.provider.id, row] as const))(
    "%s is connected, used and ended",
    async (_id, row) => {
      const { vault, browser, me, close } = openHub(row, mocks)
      const waiting = vault.connect({
        owner: toOwner(me),
        provider: row.provider.id,
        scopes: row.asks,
        requester: { id: "tool", name: "Tool" },
      })
      const asked = await browser.firstQuestion()
      const page = await browser.get(`/connect/${asked}`)
      expect(page.text).toContain(row.provider.name)
      const shown = fieldIn(page.text, "shown")
      const posted = await browser.post(`/connect/${asked}`, { csrf: csrfIn(page.text), shown, do: "continue" })
      const leaving = await browser.get(posted.location)
      const back = await mocks.visit(departureIn(leaving.text))
      const arrived = await browser.get(`${back.pathname}${back.search}`)
      expect(arrived).toMatchObject({ status: 303, location: `/connect/${asked}` })
      expect((await browser.get(arrived.location)).text).toContain(row.account.name)
      const connection = await waiting
      expect(connection.account).toEqual(row.account)
      expect(connection.scopes).toEqual(row.grants)
      expect((await connection.credentials()).headers.authorization?.startsWith("Bearer access-")).toBe(true)
      const ended = await vault.disconnect(connection.id, { by: me })
      const { kind, ...rest } = row.revoked as { readonly kind: string }
      expect(ended).toEqual({ kind: "disconnected", upstream: kind, ...rest })
      await close()
    },
  )
})

function openHub(row: PresetRow, mocks: Mocks) {
  const storage = createMemoryStorage()
  const problems: string[] = []
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  const hub = createHub({ storage, outlets: [inbox()], report })
  const vault = createVault({
    ...{ storage, report, addresses, questions: hub, runtime: systemRuntime, fetch: mocks.fetch },
    sealer: createSealer(withNewKey()),
    providers: [row.provider],
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
    ...{ vault, me },
    browser: { ...openBrowser(pages), firstQuestion },
    async close() {
      await vault.close()
      await hub.close()
      expect(problems).toEqual([])
    },
  }
}

function openBrowser(pages: Pages) {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { host: "hub.example", cookie, "sec-fetch-site": "same-origin" }
    const response = await pages.fetch(
      new Request(`${publicUrl}${path}`, { ...init, headers: { ...init.headers, ...headers } }),
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

const fieldIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ""
const csrfIn = (text: string): string => fieldIn(text, "csrf")
const departureIn = (text: string): string =>
  (/http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")
