// Options that a resource server refuses.

import { isHoldpointError } from "@holdpoint/hub"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { TokenIssuer } from "../../../src/identity/resource/issuer.ts"
import type { ResourceServerOptions } from "../../../src/identity/resource/options.ts"
import { createResourceServer } from "../../../src/identity/resource/server.ts"
import { resource } from "./setup.ts"

const issuer: TokenIssuer = { issuer: "https://corp.example", tenant: "acme", verify: { by: "jwt" } }
const partner: TokenIssuer = { ...issuer, issuer: "https://partner.example" }
const client = { id: "us", secret: "s" }
const asked: TokenIssuer = { ...issuer, verify: { by: "introspection", client } }
const fetch = async (): Promise<Response> => new Response()

/** The paths of all problems. */
function problemsOf(options: Partial<ResourceServerOptions>): readonly string[] {
  try {
    createResourceServer({ resource, issuers: [issuer], fetch, ...options })
    return []
  } catch (error) {
    if (!isHoldpointError(error)) throw error
    expect(error.code).toBe("invalid_config")
    return error.problems.map(({ path }) => path)
  }
}

const one = (more: object): Partial<ResourceServerOptions> => ({ issuers: [{ ...issuer, ...more } as TokenIssuer] })
const verify = (more: object): Partial<ResourceServerOptions> => one({ verify: { by: "jwt", ...more } })

describe("a resource server", () => {
  it.each([
    ["https://mcp.example.com/mcp"],
    ["https://mcp.example.com"],
    ["https://mcp.example.com/"],
    ["http://127.0.0.1:3000/mcp"],
  ])("can be at %s", (address) => {
    expect(problemsOf({ resource: address })).toEqual([])
  })

  it.each([
    ["http://mcp.example.com/mcp"],
    ["https://mcp.example.com/mcp#here"],
    ["https://mcp.example.com/mcp?a=b"],
    ["https://user:word@mcp.example.com/mcp"],
    ["https://MCP.example.com/mcp"],
    ["https://mcp.example.com:443/mcp"],
    ["https://mcp.example.com/a/../mcp"],
    ["mcp.example.com"],
  ])("cannot be at %s", (address) => {
    expect(problemsOf({ resource: address })).toContain("resource")
  })

  const rows: readonly (readonly [string, Partial<ResourceServerOptions>, string])[] = [
    ["no issuer", { issuers: [] }, "issuers"],
    ["the same issuer twice", { issuers: [issuer, { ...issuer, tenant: "b" }] }, "issuers"],
    ["two issuers that introspect", { issuers: [asked, { ...asked, issuer: "https://b.example" }] }, "issuers"],
    ["one that can name another's tenant", { issuers: [{ ...issuer, tenant: { claim: "org" } }, partner] }, "issuers"],
    ["an issuer by http", one({ issuer: "http://corp.example" }), "issuers[0].issuer"],
    ["an issuer without a tenant", one({ tenant: "" }), "issuers[0].tenant"],
    ["a misspelt field", one({ audiense: "x" }), "issuers[0].audiense"],
    ["tokens without a signature", verify({ algorithms: ["none"] }), "issuers[0].verify.algorithms"],
    ["tokens that it could forge itself", verify({ algorithms: ["ES256", "HS256"] }), "issuers[0].verify.algorithms"],
    ["no algorithm", verify({ algorithms: [] }), "issuers[0].verify.algorithms"],
    ["any type", verify({ typ: "any" }), "issuers[0].verify.typ"],
    ["keys by http", verify({ jwksUri: "http://corp.example/keys" }), "issuers[0].verify.jwksUri"],
    [
      "keys by http elsewhere, although the issuer is on this machine",
      one({ issuer: "http://127.0.0.1:4000", verify: { by: "jwt", jwksUri: "http://corp.example/keys" } }),
      "issuers[0].verify.jwksUri",
    ],
    ["no way to check", one({ verify: { by: "hope" } }), "issuers[0].verify.by"],
    ["clocks that differ by an hour", one({ clockToleranceSeconds: 3_600 }), "issuers[0].clockToleranceSeconds"],
    [
      "a tolerance that is not a number",
      one({ clockToleranceSeconds: Number.NaN }),
      "issuers[0].clockToleranceSeconds",
    ],
    [
      "introspection without a secret",
      one({ verify: { by: "introspection", client: { id: "us" } } }),
      "issuers[0].verify.client.secret",
    ],
    [
      "answers of an hour ago",
      one({ verify: { by: "introspection", client, cacheMs: 3_600_000 } }),
      "issuers[0].verify.cacheMs",
    ],
    ["a scope with a quote", { requires: ['a"'] }, "requires"],
    ["offline_access as a scope", { scopes: ["offline_access"] }, "scopes"],
    ["an included scope with a space", { includes: { a: ["b c"] } }, "includes"],
  ]
  for (const [what, options, path] of rows)
    verifies("caller.checked-when-made", `does not trust ${what}`, () => {
      expect(problemsOf(options)).toEqual([path])
    })

  it("lists all problems at once, and never the secret", () => {
    const secret = "a-secret-that-is-not-repeated"
    const unusable = { verify: { by: "introspection", client: { id: "", secret }, endpoint: "ftp://x" }, tenant: "" }
    expect(problemsOf({ ...one(unusable), scopes: ["a b"] })).toEqual([
      "scopes",
      "issuers[0].tenant",
      "issuers[0].verify.endpoint",
      "issuers[0].verify.client.id",
    ])
    expect(() => createResourceServer({ resource, fetch, issuers: [], ...one(unusable) })).not.toThrow(secret)
  })
})
