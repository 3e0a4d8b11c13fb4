// The address to which a person is sent.

import { createHash } from "node:crypto"
import type { Fetch, OAuthProvider } from "@holdpoint/accounts"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { startAuthorization } from "../../src/oauth/start-authorization.ts"
import { github, google, microsoft, notion, slack } from "../../src/vault/presets/index.ts"
import { createTools, redirectUri } from "../vault/oauth/setup.ts"

const client = { clientId: "client", clientSecret: "secret-canary" }
const state = "the-state-of-the-caller"
const unreachable: Fetch = () => Promise.reject(new Error("no request is expected"))

async function start(provider: OAuthProvider, scopes: readonly string[] = [], fetch: Fetch = unreachable) {
  const started = await startAuthorization(provider, { redirectUri, scopes, state }, createTools(fetch))
  const asked = started.kind === "started" ? Object.fromEntries(new URL(started.url).searchParams) : {}
  return { started, asked, secrets: started.kind === "started" ? started.secrets : {} }
}

describe("the address at the provider", () => {
  verifies("provider.pkce", "carries the challenge, never the verifier, and a new one each time", async () => {
    const one = await start(github(client), ["repo"])
    const two = await start(github(client), ["repo"])
    expect(one.asked).toEqual({
      client_id: "client",
      response_type: "code",
      redirect_uri: redirectUri,
      scope: "repo",
      state,
      code_challenge: createHash("sha256").update(one.secrets.verifier!).digest("base64url"),
      code_challenge_method: "S256",
    })
    expect(one.secrets.verifier).toHaveLength(43)
    expect(two.secrets.verifier).not.toBe(one.secrets.verifier)
    expect(JSON.stringify(one.asked)).not.toContain(one.secrets.verifier)
    expect(JSON.stringify(one.started)).not.toContain("canary")
  })

  it("has no challenge if the provider has no PKCE, and no nonce if openid is not requested", async () => {
    const { asked, secrets } = await start(notion(client))
    expect(asked).toEqual({
      client_id: "client",
      response_type: "code",
      redirect_uri: redirectUri,
      owner: "user",
      state,
    })
    expect(secrets).toEqual({})
    expect((await start(microsoft(client))).asked.nonce).toMatch(/^[\w-]{43}$/)
  })

  it("requests scopes with the parameter and the separator of the provider", async () => {
    const { asked } = await start(slack({ ...client, pkce: "S256" }), ["chat:write", "search:read", "chat:write"])
    expect(asked).toMatchObject({ user_scope: "chat:write,search:read", code_challenge_method: "S256" })
    expect(asked.scope).toBeUndefined()
  })

  it("keeps the query of the endpoint, and lets no provider data replace our parameters", async () => {
    const given = github(client)
    const endpoints = { ...given.endpoints!, authorization: "https://github.com/authorize?team=7&state=old" }
    const odd = {
      ...given,
      endpoints,
      authorizationParameters: { state: "theirs", redirect_uri: "https://evil.example", tint: "1" },
    }
    const { asked } = await start(odd)
    expect(asked).toMatchObject({ team: "7", tint: "1", state, redirect_uri: redirectUri })
  })

  it("names the resource, and comes with the issuer that the answer is compared with", async () => {
    const { asked, started } = await start({ ...github(client), resource: "https://api.example.com" })
    expect(asked.resource).toBe("https://api.example.com")
    expect(started).toMatchObject({ issuer: "https://github.com/login/oauth" })
  })

  it("is not created when the provider cannot be reached", async () => {
    expect((await start(google(client))).started).toMatchObject({ kind: "unavailable" })
  })

  it.each<[string, () => Response, string, string]>([
    ["is busy", () => new Response("", { status: 503 }), "unavailable", "provider_unavailable"],
    ["shows a page", () => new Response("<h1>no</h1>"), "unavailable", "provider_unintelligible"],
    [
      "redirects to another host",
      () => new Response("", { status: 307, headers: { location: "https://evil.example" } }),
      "unavailable",
      "provider_unintelligible",
    ],
    [
      "refuses the scope",
      () => Response.json({ error: "invalid_scope", error_description: "words" }, { status: 400 }),
      "refused",
      "provider_invalid_scope",
    ],
    [
      "does not know us",
      () => Response.json({ error: "invalid_client" }, { status: 401 }),
      "refused",
      "client_refused",
    ],
  ])("is not created when the endpoint for pushed requests %s", async (_name, answer, kind, code) => {
    const given = github(client)
    const endpoints = { ...given.endpoints!, pushedAuthorization: "https://github.com/par" }
    const { started } = await start({ ...given, endpoints }, [], async () => answer())
    expect(started).toMatchObject({ kind, reason: { code } })
    expect(JSON.stringify(started)).not.toMatch(/words|canary/)
  })
})
