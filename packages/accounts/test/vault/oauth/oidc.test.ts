// The protocol against a real authorization server: oidc-provider on a free port.

import { generateKeyPairSync } from "node:crypto"
import type { ClientAuthentication } from "@holdpoint/accounts"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { verifies } from "@holdpoint/testkit/verifies"
import type { KoaContextWithOIDC } from "oidc-provider"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { startAuthorization } from "../../../src/oauth/start-authorization.ts"
import { oauthKind } from "../../../src/vault/oauth/kind.ts"
import { oidc } from "../../../src/vault/presets/index.ts"
import { begin, createTools, granted, redeem, redirectUri } from "./setup.ts"

const resource = "https://api.example.com/"
const key = generateKeyPairSync("ec", { namedCurve: "P-256" })
const privateKey = { ...key.privateKey.export({ format: "jwk" }), kid: "ours" }
const publicKey = { ...key.publicKey.export({ format: "jwk" }), kid: "ours", alg: "ES256" }
const refreshable = { redirect_uris: [redirectUri], grant_types: ["authorization_code", "refresh_token"] }

let server: Oidc
let pushing: Oidc
beforeAll(async () => {
  const clients = [
    { ...refreshable, client_id: "signs", token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [publicKey] } },
    { ...refreshable, client_id: "open", token_endpoint_auth_method: "none" },
    {
      ...refreshable,
      client_id: "posts",
      client_secret: "s e+c/ret",
      token_endpoint_auth_method: "client_secret_post",
    },
    {
      ...refreshable,
      client_id: "odd-client.id",
      client_secret: "s e+c/r:et%",
      token_endpoint_auth_method: "client_secret_basic",
    },
  ] as const
  server = await startOidc({ clients: clients.map((one) => ({ ...one, grant_types: [...one.grant_types] })) })
  pushing = await startOidc({ par: true, resources: { [resource]: "read write" }, scopes: ["read", "write"] })
})
afterAll(() => Promise.all([server.close(), pushing.close()]))
afterEach(() => {
  for (const { settings } of [server, pushing])
    Object.assign(settings, { user: "alice", decision: "yes", grantOnly: undefined })
})

function providerOf({ issuer }: Oidc, more: Partial<Parameters<typeof oidc>[0]> = {}) {
  return oidc({ id: "oidc", name: "Test", issuer, clientId: oidcClient.id, clientSecret: oidcClient.secret, ...more })
}

async function connect(provider: ReturnType<typeof oidc>, scopes: readonly string[] = []) {
  const tools = createTools()
  const attempt = await begin(provider, scopes, tools)
  const back = await openBrowser().follow(attempt.url, redirectUri)
  return { tools, attempt, back, exchanged: await redeem(provider, attempt, back, tools) }
}

describe("a real authorization server", () => {
  it("is connected with PKCE, nonce and iss, and identifies the account", async () => {
    const provider = providerOf(server)
    const { tools, attempt, back, exchanged } = await connect(provider)
    const asked = new URL(attempt.url).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({ code_challenge_method: "S256", response_type: "code" })
    expect(asked.get("nonce")).toBe(attempt.secrets.nonce)
    expect(attempt.url).not.toContain(attempt.secrets.verifier!)
    expect(back.searchParams.get("iss")).toBe(server.issuer)
    const { fields, expiresAt } = granted(exchanged)
    expect(expiresAt).toBe(tools.runtime.now() + 3600_000)
    expect(await oauthKind.identify(provider, fields, tools)).toEqual({
      kind: "known",
      account: { id: "alice", name: "alice@example.com" },
    })
  })

  it("is trusted only about the person of the ID token, and only with a valid access token", async () => {
    const provider = providerOf(server)
    const { tools, exchanged } = await connect(provider)
    const { fields } = granted(exchanged)
    expect(await oauthKind.identify(provider, { ...fields, subject: "bob" }, tools)).toMatchObject({
      kind: "refused",
      reason: { code: "wrong_account" },
    })
    expect(await oauthKind.identify(provider, { ...fields, access_token: "no" }, tools)).toMatchObject({
      kind: "refused",
      reason: { code: "credentials_refused" },
    })
  })

  it.each<[string, string, ClientAuthentication]>([
    ["signs", "a signed assertion", { method: "private_key_jwt", key: privateKey }],
    ["open", "no secret at all", { method: "none" }],
    ["posts", "a secret in the form", { method: "post", secret: "s e+c/ret" }],
    ["odd-client.id", "a secret of odd characters in Basic", { method: "basic", secret: "s e+c/r:et%" }],
  ])("knows the client %s by %s, at exchange, refresh and revocation", async (clientId, _how, authentication) => {
    const provider = providerOf(server, { clientId, authentication })
    const { tools, exchanged } = await connect(provider)
    const refreshed = await oauthKind.refresh(provider, granted(exchanged).fields, tools)
    expect(refreshed).toMatchObject({ kind: "refreshed" })
    if (refreshed.kind !== "refreshed") return
    expect(await oauthKind.revoke(provider, refreshed.credentials.fields, tools)).toEqual({ kind: "revoked" })
  })

  it("rotates refresh tokens, and a reused one ends the grant", async () => {
    const provider = providerOf(server)
    const { tools, exchanged } = await connect(provider)
    const { fields } = granted(exchanged)
    const before = server.countTokens("refresh_token")
    const second = await oauthKind.refresh(provider, fields, tools)
    expect(second).toMatchObject({
      kind: "refreshed",
      credentials: { scopes: expect.arrayContaining(["offline_access"]) },
    })
    expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({ kind: "dead" })
    if (second.kind !== "refreshed") return
    expect(second.credentials.fields.refresh_token).not.toBe(fields.refresh_token)
    expect(await oauthKind.refresh(provider, second.credentials.fields, tools)).toMatchObject({ kind: "dead" })
    expect(server.countTokens("refresh_token") - before).toBe(3)
  })

  it("ends refresh and access token when they are revoked, and accepts a repeated revocation", async () => {
    const provider = providerOf(server)
    const { tools, exchanged } = await connect(provider)
    const { fields } = granted(exchanged)
    expect(await oauthKind.revoke(provider, fields, tools)).toEqual({ kind: "revoked" })
    expect(await oauthKind.identify(provider, fields, tools)).toMatchObject({ kind: "refused" })
    expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({ kind: "dead" })
    expect(await oauthKind.revoke(provider, fields, tools)).toEqual({ kind: "revoked" })
  })

  verifies(
    "provider.pushed-and-for-one-resource",
    "gets a pushed authorization request, and issues a token for one resource only",
    async () => {
      const provider = providerOf(pushing, { resource })
      const tools = createTools()
      const named: unknown[] = []
      const note = ({ oidc: { params } }: KoaContextWithOIDC) => void named.push(params?.resource)
      pushing.provider.on("pushed_authorization_request.success", note)
      pushing.provider.on("grant.success", note)
      const attempt = await begin(provider, ["read"], tools)
      expect([...new URL(attempt.url).searchParams.keys()].sort()).toEqual(["client_id", "request_uri"])
      const back = await openBrowser().follow(attempt.url, redirectUri)
      const { fields, scopes } = granted(await redeem(provider, attempt, back, tools))
      expect(scopes).toContain("read")
      const accessToken = await pushing.provider.AccessToken.find(fields.access_token!)
      expect(accessToken?.aud).toBe(resource)
      expect(await oauthKind.identify(provider, fields, tools)).toMatchObject({ account: { id: "alice" } })
      expect(await oauthKind.refresh(provider, fields, tools)).toMatchObject({ kind: "refreshed" })
      expect(named).toEqual([resource, resource, resource])
    },
  )

  it("records what was granted, when that is less than was asked for", async () => {
    pushing.settings.grantOnly = ["openid", "offline_access", "read"]
    const provider = providerOf(pushing, { resource })
    const { exchanged } = await connect(provider, ["read", "write"])
    expect(granted(exchanged).scopes).toContain("read")
    expect(granted(exchanged).scopes).not.toContain("write")
  })

  verifies("provider.says-nothing-here", "refuses a wrong resource or secret, with a named reason", async () => {
    const state = "a-state-of-the-tests"
    const provider = providerOf(pushing, { resource: "https://elsewhere.example/" })
    expect(await startAuthorization(provider, { redirectUri, scopes: [], state }, createTools())).toMatchObject({
      kind: "refused",
      reason: { code: "provider_invalid_target" },
    })
    const stranger = providerOf(pushing, { resource, clientSecret: "not-the-secret" })
    expect(await startAuthorization(stranger, { redirectUri, scopes: [], state }, createTools())).toMatchObject({
      kind: "refused",
      reason: { code: "client_refused" },
    })
  })

  it("reports a No as access_denied", async () => {
    server.settings.decision = "no"
    const { exchanged } = await connect(providerOf(server))
    expect(exchanged).toEqual({ kind: "refused", reason: { code: "access_denied", message: expect.any(String) } })
  })

  verifies(
    "provider.pkce",
    "grants nothing for another verifier, another redirect URI, or another attempt's nonce",
    async () => {
      const provider = providerOf(server)
      const tools = createTools()
      const retry = async (change: (attempt: Awaited<ReturnType<typeof begin>>) => object) => {
        const attempt = await begin(provider, [], tools)
        const back = await openBrowser().follow(attempt.url, redirectUri)
        return redeem(provider, { ...attempt, ...change(attempt) }, back, tools)
      }
      const other = "0123456789012345678901234567890123456789012"
      expect(await retry(({ secrets }) => ({ secrets: { ...secrets, verifier: other } }))).toMatchObject({
        kind: "refused",
        reason: { code: "provider_invalid_grant" },
      })
      expect(await retry(() => ({ redirectUri: `${redirectUri}/other` }))).toMatchObject({
        kind: "refused",
        reason: { code: "provider_invalid_grant" },
      })
      expect(await retry(({ secrets }) => ({ secrets: { ...secrets, nonce: other } }))).toMatchObject({
        kind: "refused",
        reason: { code: "wrong_id_token" },
      })
      expect(await retry(() => ({ secrets: {} }))).toMatchObject({ kind: "refused", reason: { code: "wrong_state" } })
      expect(await retry(() => ({ state: other }))).toMatchObject({ kind: "refused", reason: { code: "wrong_state" } })
      expect(await retry(() => ({ issuer: "https://evil.example" }))).toMatchObject({
        kind: "refused",
        reason: { code: "wrong_issuer" },
      })
    },
  )

  verifies(
    "provider.issuer-is-compared",
    "gets no token request for an answer that names another issuer, or none",
    async () => {
      const provider = providerOf(server)
      const tools = createTools()
      const attempt = await begin(provider, [], tools)
      const back = await openBrowser().follow(attempt.url, redirectUri)
      const before = server.countTokens()
      const swapped = new URL(back)
      swapped.searchParams.set("iss", "https://evil.example")
      const silent = new URL(back)
      silent.searchParams.delete("iss")
      expect(await redeem(provider, attempt, swapped, tools)).toMatchObject({ reason: { code: "wrong_issuer" } })
      expect(await redeem(provider, attempt, silent, tools)).toMatchObject({ reason: { code: "missing_issuer" } })
      expect(server.countTokens()).toBe(before)
      granted(await redeem(provider, attempt, back, tools))
    },
  )

  it.each([-300, 300])("is understood when its clock is %i seconds off", async (seconds) => {
    const provider = providerOf(server, { clientId: "open", authentication: { method: "none" } })
    const tools = createTools()
    tools.runtime.set(Date.now() + seconds * 1000)
    const attempt = await begin(provider, [], tools)
    granted(await redeem(provider, attempt, await openBrowser().follow(attempt.url, redirectUri), tools))
  })

  it("connects bob as bob, in a separate browser, and allows a redirect URI that was added later", async () => {
    server.settings.user = "bob"
    const address = "http://127.0.0.1:1/oauth/callback"
    const request = { redirectUri: address, scopes: [], state: "a-state-of-the-tests" }
    server.allowRedirect(address)
    const started = await startAuthorization(providerOf(server), request, createTools())
    const back = await openBrowser().follow(started.kind === "started" ? started.url : "", address)
    expect(back.searchParams.has("code")).toBe(true)
    const provider = providerOf(server)
    const { tools, exchanged } = await connect(provider)
    expect(await oauthKind.identify(provider, granted(exchanged).fields, tools)).toMatchObject({
      account: { id: "bob", name: "bob@example.com" },
    })
  })
})
