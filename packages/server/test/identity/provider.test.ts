// Identity providers as data, the people who are read from their claims, and the names of browsers.

import { describe, expect, it } from "vitest"
import { readClaim, toPerson } from "../../src/identity/claims.ts"
import type { IdentityProvider } from "../../src/identity/provider.ts"
import { defineIdentityProvider, defineIdentityProviders } from "../../src/identity/provider.ts"
import { signInWords } from "../../src/identity/reasons.ts"
import { shortenAgent } from "../../src/identity/user-agent.ts"

const corp: IdentityProvider = {
  id: "corp",
  name: "Corp",
  issuer: "https://id.example",
  client: { id: "holdpoint" },
  tenant: "acme",
}

describe("an identity provider", () => {
  it.each([
    ["an invalid id", { id: "Corp!" }, "id"],
    ["no name", { name: " " }, "name"],
    ["an issuer without https", { issuer: "http://id.example" }, "issuer"],
    ["an issuer that is not an address", { issuer: "id.example" }, "issuer"],
    ["an issuer with a query", { issuer: "https://id.example?tenant=1" }, "issuer"],
    ["no client id", { client: { id: "" } }, "client.id"],
    ["authentication without a secret", { client: { id: "a", authentication: "post" } }, "client.secret"],
    ["a secret that is never used", { client: { id: "a", secret: "s", authentication: "none" } }, "client.secret"],
    ["no tenant", { tenant: "" }, "tenant"],
    ["an empty list of tenants", { tenant: { claim: "org", allowed: [] } }, "tenant.allowed"],
    ["no openid scope", { scopes: ["profile"] }, "scopes"],
    ["no issuer", { issuer: undefined }, "issuer"],
    ["no client", { client: undefined }, "client"],
    ["a tenant that is left out", { tenant: undefined }, "tenant"],
    ["a misspelt field", { nameClaim: ["name"] }, "nameClaim"],
    ["a misspelt source of roles", { roles: { claims: "groups" } }, "roles.claims"],
    ["a misspelt client", { client: { id: "a", clientSecret: "s" } }, "client.clientSecret"],
  ] as const)("with %s is refused, saying where", (_case, change, path) => {
    const define = () => defineIdentityProvider({ ...corp, ...change } as IdentityProvider)
    expect(define).toThrow(
      expect.objectContaining({ code: "invalid_config", problems: [expect.objectContaining({ path })] }),
    )
    expect(define).not.toThrow(/undefined/)
  })

  it("without any settings is refused with all problems at once", () => {
    expect(() => defineIdentityProviders([{} as IdentityProvider])).toThrow(
      /without an id cannot be used[\s\S]*- id[\s\S]*- name[\s\S]*- issuer[\s\S]*- client[\s\S]*- tenant/,
    )
    expect(() => defineIdentityProviders(["corp" as never])).toThrow("must be an object")
  })

  it("on this machine may speak http", () => {
    expect(defineIdentityProvider({ ...corp, issuer: "http://127.0.0.1:3000/idp" }).issuer).toContain("/idp")
  })

  it("that may name any tenant must be the only one, or list its tenants", () => {
    const open = { ...corp, id: "open", tenant: { claim: "org" } }
    expect(defineIdentityProviders([open]).size).toBe(1)
    expect(() => defineIdentityProviders([corp, open])).toThrow("tenant.allowed")
    const listed = { ...open, tenant: { claim: "org", allowed: ["globex"] } }
    expect(defineIdentityProviders([corp, listed]).size).toBe(2)
  })

  it("needs a unique id", () => {
    expect(() => defineIdentityProviders([corp, corp])).toThrow("same id")
  })
})

describe("a person", () => {
  const claims = { sub: "alice", iss: "https://id.example", org: "acme", realm: { roles: ["admin"] } }
  const person = (change: Partial<IdentityProvider>, more = {}) =>
    toPerson({ ...corp, ...change }, corp.issuer, { ...claims, ...more })

  it("has the roles of the claim and those of the configuration, each once", () => {
    const roles = { claim: "realm.roles", fixed: { alice: ["admin", "auditor"], bob: ["owner"] } }
    expect(person({ roles })).toMatchObject({ principal: { roles: ["admin", "auditor"] } })
  })

  it.each(["constructor", "__proto__", "toString"])("called %s has no roles by accident", (sub) => {
    const roles = { claim: sub, fixed: {} }
    expect(person({ roles }, { sub })).toEqual({
      ok: true,
      principal: { tenant: "acme", issuer: corp.issuer, subject: sub },
    })
  })

  it.each([
    ["missing", undefined],
    ["not text", ["acme"]],
    ["empty", ""],
    ["of others", "globex"],
  ])("whose tenant is %s is refused", (_case, org) => {
    expect(person({ tenant: { claim: "org", allowed: ["acme"] } }, { org })).toEqual({
      ok: false,
      code: "tenant_not_allowed",
    })
  })

  it.each([
    ["the first claim that exists", { preferred_username: "al", email: "a@b.c" }, "al"],
    ["nothing with control characters", { name: "\u001b[2J", email: "a@b.c" }, "a@b.c"],
    ["nothing longer than 200 characters", { name: "x".repeat(201) }, undefined],
  ])("is named by %s", (_case, more, name) => {
    const result = person({}, more)
    expect(result.ok && result.name).toBe(name)
  })

  it("may have claims with dots in their names, and nested claims", () => {
    expect(readClaim({ "https://corp.example/roles": 1 }, "https://corp.example/roles")).toBe(1)
    expect(readClaim(claims, "realm.roles")).toEqual(["admin"])
    expect(readClaim(claims, "realm.roles.length.x")).toBeUndefined()
    expect(readClaim(claims, "realm.constructor")).toBeUndefined()
  })
})

describe("a browser", () => {
  const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, "Chrome on Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0 Safari/537.36 Edg/141.0`, "Edge on Windows"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15.5; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on macOS"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 Version/18.5 Mobile Safari/604",
      "Safari on iPhone",
    ],
    [`Mozilla/5.0 (Linux; Android 15; Pixel) ${webkit} Chrome/141.0 Mobile Safari/537.36`, "Chrome on Android"],
    ["curl/8.5.0 (Linux)", "A program on Linux"],
    ["curl/8.5.0", undefined],
    ["<script>alert(1)</script>", undefined],
    [undefined, undefined],
  ])("that says %s is called %s", (agent, name) => {
    expect(shortenAgent(agent)).toBe(name)
  })
})

describe("the reasons of a refusal", () => {
  it.each([null, "", "constructor", "<script>"])("have no text for %j", (code) => {
    expect(signInWords(code)).toBeUndefined()
  })

  it("are sentences that say what to do", () => {
    expect(signInWords("sign_in_expired")).toBe("This sign-in took too long. Sign in again.")
  })
})
