// How this program authenticates as a client.

import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from "node:crypto"
import type { OAuthProvider } from "@holdpoint/accounts"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { toBasic } from "../../../src/oauth/client.ts"
import { oauthKind } from "../../../src/vault/oauth/kind.ts"
import { github } from "../../../src/vault/presets/index.ts"
import { createTools } from "./setup.ts"

const refreshable = { ...github({ clientId: "client", clientSecret: "secret", app: "github_app" }) }

/** The form that the token endpoint got, and its headers. */
async function heard(client: OAuthProvider["client"], resource = "https://api.example.com") {
  const requests: { readonly url: string; readonly init: RequestInit }[] = []
  const tools = createTools(async (url, init = {}) => {
    requests.push({ url: String(url), init })
    return Response.json({ error: "invalid_grant" }, { status: 400 })
  })
  await oauthKind.refresh({ ...refreshable, client, resource }, { refresh_token: "r", access_token: "a" }, tools)
  const { url, init } = requests[0]!
  return { url, init, form: new URLSearchParams(String(init.body)), headers: new Headers(init.headers), tools }
}

function decode(part: string | undefined): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(part ?? "", "base64url").toString())
}

describe("a signed assertion", () => {
  const keys: readonly [string, JsonWebKey, JsonWebKey][] = (
    [
      ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
      ["ES384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
      ["Ed25519", generateKeyPairSync("ed25519")],
      ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })],
    ] as const
  ).map(([algorithm, { privateKey, publicKey }]) => [
    algorithm,
    privateKey.export({ format: "jwk" }),
    publicKey.export({ format: "jwk" }),
  ])

  it.each(keys)(
    "with %s names the issuer as its only audience, and expires after a minute",
    async (algorithm, key, publicKey) => {
      const authentication = { method: "private_key_jwt", key: { ...key }, keyId: "ours" } as const
      const { form, headers, tools } = await heard({ id: "client", authentication })
      const assertion = form.get("client_assertion") ?? ""
      const [header, payload, signature] = assertion.split(".")
      expect(decode(header)).toEqual({ alg: algorithm, kid: "ours" })
      const claims = decode(payload)
      expect(claims).toMatchObject({ aud: refreshable.issuer, iss: "client", sub: "client", jti: expect.any(String) })
      expect(Math.abs(Number(claims.exp) - tools.runtime.now() / 1000 - 60)).toBeLessThan(3)
      expect(headers.has("authorization")).toBe(false)
      const checked = { key: createPublicKey({ key: publicKey, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const
      const hash = algorithm === "Ed25519" ? null : algorithm === "ES384" ? "sha384" : "sha256"
      const signed = Buffer.from(`${header}.${payload}`)
      expect(verify(hash, signed, checked, Buffer.from(signature ?? "", "base64url"))).toBe(true)
    },
  )
})

describe("a secret", () => {
  it("is sent as HTTP Basic, escaped only where necessary", async () => {
    const { headers, form } = await heard({ id: "a-b_c.d", authentication: { method: "basic", secret: "x y:z%" } })
    expect(headers.get("authorization")).toBe(`Basic ${btoa("a-b_c.d:x+y%3Az%25")}`)
    expect(form.has("client_secret")).toBe(false)
    expect(toBasic("grün", "s")).toBe(`Basic ${btoa("gr%C3%BCn:s")}`)
  })

  it("is sent in the request body when the provider wants it there", async () => {
    const { headers, form, url } = await heard({ id: "client", authentication: { method: "post", secret: "x y" } })
    expect(Object.fromEntries(form)).toEqual({
      client_id: "client",
      client_secret: "x y",
      grant_type: "refresh_token",
      refresh_token: "r",
      resource: "https://api.example.com",
    })
    expect(headers.has("authorization")).toBe(false)
    expect(url).not.toContain("?")
  })

  verifies("fetch.redirects-carry-nothing", "is never sent along a redirect, whatever the fetch would do", async () => {
    const { init } = await heard({ id: "client", authentication: { method: "none" } })
    expect(init.redirect).toBe("manual")
  })
})
