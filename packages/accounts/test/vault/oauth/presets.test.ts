// Every preset goes once through everything a hub does with it, against a mock of what its provider documents.

import type { Fetch, OAuthProvider } from "@holdpoint/accounts"
import { type Mocks, startMocks } from "@holdpoint/testkit/accounts/vault/providers/mock"
import { presetRows as rows } from "@holdpoint/testkit/accounts/vault/providers/preset-rows"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { oauthKind } from "../../../src/vault/oauth/kind.ts"
import { begin, createTools, granted, redeem } from "./setup.ts"

let mocks: Mocks
beforeAll(async () => {
  mocks = await startMocks(rows.map(({ played }) => played))
})
afterAll(() => mocks.close())

const wrongClient = (provider: OAuthProvider): OAuthProvider => {
  const { method } = provider.client.authentication as { readonly method: "basic" | "post" }
  return { ...provider, client: { ...provider.client, authentication: { method, secret: "not-the-secret" } } }
}

describe.each(rows)("$provider.id", ({ provider, played, asks, grants, account, lives, refreshes, revoked }) => {
  verifies(
    "provider.presets",
    "connects, identifies the account, gets a new token, and revokes the grant",
    async () => {
      const tools = createTools(mocks.fetch)
      const attempt = await begin(provider, asks, tools)
      const first = granted(await redeem(provider, attempt, await mocks.visit(attempt.url), tools))
      expect(first.scopes).toEqual(grants)
      expect(first.expiresAt).toBe(lives === undefined ? undefined : tools.runtime.now() + lives * 1000)
      expect(await oauthKind.identify(provider, first.fields, tools)).toEqual({ kind: "known", account })
      expect(oauthKind.authorize(provider, first.fields)).toEqual({
        ...provider.headers,
        authorization: `Bearer ${first.fields.access_token}`,
      })

      await tools.runtime.advance(1000)
      const refreshed = await oauthKind.refresh(provider, first.fields, tools)
      if (refreshes === "nothing") expect(refreshed).toEqual({ kind: "nothing" })
      const second = refreshed.kind === "refreshed" ? refreshed.credentials : first
      if (refreshes !== "nothing") {
        expect(refreshed).toMatchObject({ kind: "refreshed", credentials: { scopes: grants } })
        expect(second.fields.access_token).not.toBe(first.fields.access_token)
        expect(second.fields.refresh_token === first.fields.refresh_token).toBe(refreshes === "same")
        expect(await oauthKind.identify(provider, second.fields, tools)).toEqual({ kind: "known", account })
      }
      expect(await oauthKind.revoke(provider, second.fields, tools)).toEqual(revoked)
      // Once more, as after a crash: what is gone is gone, and that is a success.
      if (provider.id !== "notion") expect(await oauthKind.revoke(provider, second.fields, tools)).toEqual(revoked)
    },
  )

  it("reports a No at the provider as access_denied, without the provider's description", async () => {
    const tools = createTools(mocks.fetch)
    const attempt = await begin(provider, asks, tools)
    const exchanged = await redeem(provider, attempt, await mocks.visit(attempt.url, "no"), tools)
    expect(exchanged).toMatchObject({ kind: "refused", reason: { code: "access_denied" } })
    expect(JSON.stringify(exchanged)).not.toContain("script")
  })

  it("refuses a code that was used before", async () => {
    const tools = createTools(mocks.fetch)
    const attempt = await begin(provider, asks, tools)
    const back = await mocks.visit(attempt.url)
    granted(await redeem(provider, attempt, back, tools))
    const again = await redeem(provider, attempt, back, tools)
    expect(again).toMatchObject({ kind: "refused", reason: { code: expect.stringMatching(/^provider_invalid_/) } })
    expect(JSON.stringify(again)).not.toContain("Do not show this")
  })

  it("distinguishes a wrong client from a dead grant", async () => {
    const tools = createTools(mocks.fetch)
    const attempt = await begin(provider, asks, tools)
    const back = await mocks.visit(attempt.url)
    const refused = await redeem(wrongClient(provider), attempt, back, tools)
    expect(refused).toMatchObject({ kind: "refused", reason: { code: "client_refused" } })
    const { fields } = granted(await redeem(provider, attempt, back, tools))
    if (refreshes === "nothing") return
    expect(await oauthKind.refresh(wrongClient(provider), fields, tools)).toMatchObject({
      kind: "unknown",
      reason: { code: "client_refused" },
    })
    const dead = await oauthKind.refresh(provider, { ...fields, refresh_token: "refresh-of-no-grant" }, tools)
    expect(dead).toMatchObject({ kind: "dead", reason: { code: "grant_ended" } })
  })

  it("keeps the grant when the token endpoint is busy, redirects, or shows a page", async () => {
    const tools = createTools(mocks.fetch)
    const attempt = await begin(provider, asks, tools)
    const { fields } = granted(await redeem(provider, attempt, await mocks.visit(attempt.url), tools))
    if (refreshes === "nothing") return
    for (const answer of [
      { status: 503 },
      { status: 429 },
      { status: 302 },
      { body: "<h1>Sorry</h1>" },
      { status: 418 },
    ]) {
      mocks.interrupt.set(`POST ${played.token}`, answer)
      expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({ kind: "unknown" })
    }
    expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({ kind: "refreshed" })
  })
})

describe("revoking", () => {
  it("renews an expired token first, when only a valid one can end the grant", async () => {
    const tools = createTools(mocks.fetch)
    const { provider, asks } = rows[0]!
    const attempt = await begin(provider, asks, tools)
    const { fields } = granted(await redeem(provider, attempt, await mocks.visit(attempt.url), tools))
    expect(await oauthKind.revoke(provider, { ...fields, access_token: "ran-out" }, tools)).toEqual({ kind: "revoked" })
  })

  it("keeps the renewed tokens for the next try, when the provider then does not answer", async () => {
    let deletions = 0
    const fetch: Fetch = async (input, init) => {
      if (init?.method === "DELETE" && ++deletions === 2) return new Response(null, { status: 503 })
      return mocks.fetch(input, init)
    }
    const tools = createTools(fetch)
    const { provider, asks } = rows[0]!
    const attempt = await begin(provider, asks, tools)
    const { fields } = granted(await redeem(provider, attempt, await mocks.visit(attempt.url), tools))
    const first = await oauthKind.revoke(provider, { ...fields, access_token: "ran-out" }, tools)
    expect(first).toMatchObject({ kind: "later", renewedFields: { refresh_token: expect.any(String) } })
    const renewedFields = (first.kind === "later" && first.renewedFields) || {}
    expect(await oauthKind.identify(provider, renewedFields, tools)).toMatchObject({ kind: "known" })
    expect(await oauthKind.revoke(provider, renewedFields, tools)).toEqual({ kind: "revoked" })
    expect(await oauthKind.identify(provider, renewedFields, tools)).toMatchObject({ kind: "refused" })
  })

  it("is tried again later when the provider cannot say", async () => {
    const tools = createTools(mocks.fetch)
    const { provider, asks } = rows[6]!
    const attempt = await begin(provider, asks, tools)
    const { fields } = granted(await redeem(provider, attempt, await mocks.visit(attempt.url), tools))
    mocks.interrupt.set("POST api.linear.app/oauth/revoke", { status: 503 })
    expect(await oauthKind.revoke(provider, fields, tools)).toMatchObject({ kind: "later" })
    expect(await oauthKind.revoke(provider, fields, tools)).toEqual({ kind: "revoked" })
  })
})
