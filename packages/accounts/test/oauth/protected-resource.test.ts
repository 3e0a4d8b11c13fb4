// The metadata of a protected resource, judged with literals. The flow is in http/mcp-server.test.ts.

import { describe, expect, it } from "vitest"
import { judgeRegistration } from "../../src/oauth/client-registration.ts"
import { judgeResource } from "../../src/oauth/protected-resource.ts"

const server = "https://mcp.example/mcp"
const honest = { resource: server, authorization_servers: ["https://login.example"] }

describe("the metadata of a resource", () => {
  it("names its authorization servers, and the scopes unless the challenge names them", () => {
    const document = { ...honest, scopes_supported: ["a", "b"] }
    const resource = { resource: server, issuers: ["https://login.example"] }
    expect(judgeResource({ server }, document, undefined)).toMatchObject({
      resource: { ...resource, scopes: ["a", "b"] },
    })
    expect(judgeResource({ server }, document, ["a"])).toMatchObject({ resource: { scopes: ["a"] } })
    expect(judgeResource({ server }, honest, undefined)).toEqual({ kind: "resource", resource })
  })

  it("is reduced to valid scopes, and to at most 100 of them", () => {
    const odd = ["a", "b c", 'd"', "e\n", "", "f".repeat(201)]
    const judged = judgeResource({ server }, { ...honest, scopes_supported: odd }, undefined)
    expect(judged).toMatchObject({ resource: { scopes: ["a"] } })
    const many = Array.from({ length: 5_000 }, (_, index) => `s${index}`)
    const cut = judgeResource({ server }, honest, many)
    expect(cut.kind === "resource" && cut.resource.scopes).toHaveLength(100)
  })

  it.each([
    ["https://mcp.example", "https://mcp.example/", "accepted"],
    ["https://mcp.example/mcp", "https://mcp.example/mcp/", "refused"],
    ["https://mcp.example/mcp", "https://mcp.example", "refused"],
    ["https://mcp.example/mcp", "https://evil.example/mcp", "refused"],
    ["https://mcp.example/mcp", 7, "refused"],
  ])("of %s that calls itself %s is %s (RFC 9728 §3.3)", (address, resource, expected) => {
    const judged = judgeResource({ server: address }, { ...honest, resource }, undefined)
    expect(judged.kind).toBe(expected === "accepted" ? "resource" : "refused")
  })

  it("may have the identifier that the operator configured", () => {
    const data = { server, resource: "https://mcp.example" }
    expect(judgeResource(data, { ...honest, resource: "https://mcp.example" }, undefined).kind).toBe("resource")
    expect(judgeResource(data, honest, undefined).kind).toBe("refused")
  })

  it.each([
    [undefined],
    ["text"],
    [{ ...honest, authorization_servers: [] }],
    [{ ...honest, authorization_servers: "https://login.example" }],
    [{ ...honest, authorization_servers: ["http://login.example"] }],
    [{ ...honest, authorization_servers: ["http://127.0.0.1:8080"] }],
    [{ ...honest, authorization_servers: ["https://login.example", "javascript:alert(1)"] }],
    [{ ...honest, authorization_servers: ["https://user:pass@login.example"] }],
  ])("%j is refused", (document) => {
    expect(judgeResource({ server }, document, undefined)).toMatchObject({ kind: "refused" })
  })
})

describe("the response to a registration", () => {
  const refused = { kind: "refused" }
  const registered = { kind: "registered", clientId: "c" }
  it.each([
    [201, { client_id: "c" }, registered],
    [200, { client_id: "c", token_endpoint_auth_method: "none", client_secret: "s" }, registered],
    [201, { client_id: "c", client_secret: "s" }, { ...registered, clientSecret: "s", method: "basic" }],
    [
      201,
      {
        client_id: "c",
        client_secret: "s",
        token_endpoint_auth_method: "client_secret_post",
        client_secret_expires_at: 9,
      },
      { ...registered, clientSecret: "s", method: "post", expiresAt: 9_000 },
    ],
    [201, { client_id: "c", token_endpoint_auth_method: "private_key_jwt" }, refused],
    [201, {}, refused],
    [201, undefined, refused],
    [302, { client_id: "c" }, refused],
    [400, { error: "invalid_client_metadata", error_description: "<script>" }, refused],
  ])("%i %j is judged", (status, body, expected) => {
    const judged = judgeRegistration(status, body)
    expect(judged).toMatchObject(expected)
    expect(JSON.stringify(judged)).not.toContain("<script>")
  })
})
