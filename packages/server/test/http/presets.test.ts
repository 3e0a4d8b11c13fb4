// Every preset through the whole flow: asked for by a tool, said yes to on our page and at the provider, used, and
// disconnected. The provider is a mock of what its documents say.

import { toOwner } from "@holdpoint/accounts"
import { type Mocks, startMocks } from "@holdpoint/testkit/accounts/vault/providers/mock"
import { presetRows } from "@holdpoint/testkit/accounts/vault/providers/preset-rows"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { csrfIn, departureIn, fieldIn, openSite } from "./local-site.ts"

describe("a preset", () => {
  let mocks: Mocks
  beforeAll(async () => {
    mocks = await startMocks(presetRows.map(({ played }) => played))
  })
  afterAll(() => mocks.close())

  it.each(presetRows.map((row) => [row.provider.id, row] as const))(
    "%s is connected, used and disconnected",
    async (_id, row) => {
      const { vault, browser, me, problems, close } = openSite({ provider: row.provider, fetch: mocks.fetch })
      const waiting = vault.connect({
        owner: toOwner(me),
        provider: row.provider.id,
        scopes: row.asks,
        requester: { id: "tool", name: "Tool" },
      })
      const asked = await browser.firstQuestion()
      const page = await browser.get(`/connect/${asked}`)
      expect(page.text).toContain(row.provider.name)
      const shownDigest = fieldIn(page.text, "shown")
      const posted = await browser.post(`/connect/${asked}`, {
        csrf: csrfIn(page.text),
        shown: shownDigest,
        do: "continue",
      })
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
      expect(problems).toEqual([])
    },
  )
})
