// Mistakes in a provider's data are reported when the program starts, all together, in words, without a secret.

import type { OAuthProvider, Provider } from "@holdpoint/accounts"
import { isHoldpointError, type Problem } from "@holdpoint/hub"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { apiKey, basic, defineProvider, github, nextcloudLogin, oidc } from "../../../src/vault/presets/index.ts"

const good = github({ clientId: "client", clientSecret: "secret-canary" })

function problemsOf(provider: unknown): readonly Problem[] {
  try {
    defineProvider(provider as Provider)
  } catch (error) {
    if (!isHoldpointError(error)) throw error
    expect(error.code).toBe("invalid_config")
    expect(error.message).not.toContain("canary")
    for (const { path, message } of error.problems)
      expect(error.message).toContain(path === "" ? message : `${path}: ${message}`)
    return error.problems
  }
  return []
}

describe("a provider's data", () => {
  it("is returned unchanged when it is valid", () => {
    expect(defineProvider(good)).toBe(good)
    expect(nextcloudLogin({ server: "https://cloud.example.com/nc/" })).toMatchObject({
      kind: "login_flow",
      server: "https://cloud.example.com/nc",
      api: ["https://cloud.example.com"],
    })
    expect(apiKey({ id: "weather", name: "Weather", test: "https://api.example.com/me" })).toMatchObject({
      header: { name: "Authorization", prefix: "Bearer " },
      api: ["https://api.example.com"],
      identity: { from: "nothing" },
    })
    const account = { id: "id", name: ["login"] }
    expect(basic({ id: "dav", name: "Dav", test: "https://dav.example.com/", account })).toMatchObject({
      identity: { from: "call", id: "id", name: ["login"], call: { url: "https://dav.example.com/" } },
    })
  })

  it.each<[string, Partial<Record<keyof OAuthProvider, unknown>>, string]>([
    ["an id with capitals", { id: "GitHub" }, "id"],
    ["an id with a slash", { id: "a/b" }, "id"],
    ["no name", { name: " " }, "name"],
    ["no api", { api: [] }, "api"],
    ["an api with a path", { api: ["https://api.github.com/v3"] }, "api.0"],
    ["an api over http", { api: ["http://api.github.com"] }, "api.0"],
    ["a header of ours", { headers: { Authorization: "x" } }, "headers"],
    ["discovery without an issuer", { discovery: "oidc", issuer: undefined, endpoints: undefined }, "issuer"],
    ["discovery and endpoints", { discovery: "oidc" }, "endpoints"],
    ["no discovery and no endpoints", { endpoints: undefined }, "endpoints"],
    ["an unknown discovery", { discovery: "magic" }, "discovery"],
    ["an issuer that is not an address", { issuer: "github" }, "issuer"],
    [
      "an endpoint over http",
      { endpoints: { authorization: "http://x.example", token: "https://x.example" } },
      "endpoints.authorization",
    ],
    ["plain PKCE", { pkce: "plain" }, "pkce"],
    ["another kind of redirect", { redirect: "any" }, "redirect"],
    ["a client without an id", { client: { id: "", authentication: { method: "none" } } }, "client.id"],
    [
      "an empty secret",
      { client: { id: "c", authentication: { method: "post", secret: "" } } },
      "client.authentication.secret",
    ],
    [
      "a public key",
      { client: { id: "c", authentication: { method: "private_key_jwt", key: { kty: "EC" } } } },
      "client.authentication.key",
    ],
    [
      "an unknown authentication",
      { client: { id: "c", authentication: { method: "magic" } } },
      "client.authentication",
    ],
    ["an id token without openid", { identity: { from: "id_token", id: "sub", name: [] } }, "identity"],
    ["userinfo without an endpoint", { identity: { from: "userinfo", id: "sub", name: [] } }, "identity"],
    ["revocation without an endpoint", { revocation: { by: "rfc7009" } }, "revocation"],
    [
      "a call to elsewhere",
      { identity: { from: "call", call: { method: "GET", url: "https://evil.example/" }, id: "id", name: [] } },
      "identity.call.url",
    ],
    ["no way to know the account", { identity: undefined }, "identity.from"],
    ["no word on revocation", { revocation: undefined }, "revocation.by"],
    [
      "a revocation by a secret that there is not",
      { client: { id: "c", authentication: { method: "none" } } },
      "revocation.authorization",
    ],
    ["a parameter of ours", { authorizationParameters: { state: "x" } }, "authorizationParameters.state"],
  ])("with %s is refused", (_name, change, path) => {
    const changed = Object.fromEntries(
      Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined),
    )
    expect(problemsOf(changed).map((problem) => problem.path)).toContain(path)
  })

  verifies("provider.is-data", "gets a suggestion for a misspelled name, at every level", () => {
    const { quirks, revocation } = good
    const problems = problemsOf({
      ...good,
      scopeWord: {},
      quirks: { ...quirks, errorsMap: {} },
      client: { ...good.client, authentication: { ...good.client.authentication, secrt: "canary" } },
      revocation: { ...revocation, zebra: 1 },
    })
    expect(problems).toEqual([
      expect.objectContaining({ path: "client.authentication.secrt", suggestion: "Did you mean secret?" }),
      expect.objectContaining({ path: "revocation.zebra", suggestion: expect.stringContaining("Known names: by,") }),
      expect.objectContaining({ path: "quirks.errorsMap", suggestion: "Did you mean errorMap?" }),
      expect.objectContaining({ path: "scopeWord", suggestion: "Did you mean scopeWords?" }),
    ])
  })

  it.each([undefined, null, "github", {}, { kind: "oath" }])("is refused when it is %j", (value) => {
    expect(problemsOf(value)).toHaveLength(1)
  })

  verifies("provider.is-data", "is refused with all problems together", () => {
    expect(problemsOf({ ...good, id: "A", name: "", pkce: "plain", redirect: "any" })).toHaveLength(4)
  })

  it("of a login flow accepts only known values for ownAccount", () => {
    const login = nextcloudLogin({ server: "https://cloud.example" })
    expect(problemsOf({ ...login, ownAccount: "of" }).map(({ path }) => path)).toEqual(["ownAccount"])
  })

  it("allows this machine, for development", () => {
    const local = oidc({ id: "local", name: "Local", issuer: "http://127.0.0.1:4000", clientId: "c" })
    expect(local.api).toEqual(["http://127.0.0.1:4000"])
  })
})
