// How a client that knows nothing but the address finds its way: the metadata, and the official client following it.

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import type { ResourceServer } from "@holdpoint/server/identity"
import { type Oidc, oidcClient } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { verifies } from "@holdpoint/testkit/verifies"
import {
  auth,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client"
import { OAuthProtectedResourceMetadataSchema } from "@modelcontextprotocol/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ResourceServerOptions } from "../../../src/identity/resource/options.ts"
import { createResourceServer } from "../../../src/identity/resource/server.ts"
import { redirectUri, startAuthorizationServer } from "./person.ts"
import { resource } from "./setup.ts"

const issuer = { issuer: "https://corp.example", tenant: "acme", verify: { by: "jwt" } } as const
const fetchNothing = async (): Promise<Response> => new Response(null, { status: 404 })
const create = (options: Partial<ResourceServerOptions> = {}): ResourceServer =>
  createResourceServer({ resource, issuers: [issuer], fetch: fetchNothing, ...options })

const wellKnown = "/.well-known/oauth-protected-resource"
const at = (path: string, init?: RequestInit): Request => new Request(new URL(path, resource), init)

describe("the metadata", () => {
  verifies("caller.finds-the-way", "has the shape that clients expect, at both of its addresses", async () => {
    const server = create({
      ...{ scopes: ["notes.read", "notes.write"], name: "Notes", documentation: "https://example.com/docs" },
      issuers: [issuer, { ...issuer, issuer: "https://partner.example/realms/a" }],
    })
    for (const path of [wellKnown, `${wellKnown}/mcp`]) {
      const answer = server.metadata(at(path))
      expect(answer?.headers.get("content-type")).toMatch(/^application\/json/)
      expect(OAuthProtectedResourceMetadataSchema.parse(await answer?.json())).toEqual({
        resource,
        authorization_servers: ["https://corp.example", "https://partner.example/realms/a"],
        bearer_methods_supported: ["header"],
        scopes_supported: ["notes.read", "notes.write"],
        resource_name: "Notes",
        resource_documentation: "https://example.com/docs",
      })
    }
  })

  it.each([
    ["https://mcp.example.com/mcp", "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"],
    ["https://mcp.example.com/a/b/", "https://mcp.example.com/.well-known/oauth-protected-resource/a/b/"],
    ["https://mcp.example.com", "https://mcp.example.com/.well-known/oauth-protected-resource"],
    ["https://mcp.example.com/", "https://mcp.example.com/.well-known/oauth-protected-resource"],
    ["http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"],
  ])("of %s is at %s (RFC 9728 §3.1)", (address, url) => {
    const server = create({ resource: address })
    expect(server.metadataUrl).toBe(url)
    expect(server.metadata(new Request(url))?.status).toBe(200)
  })

  it.each([
    "/",
    "/mcp",
    `${wellKnown}/other`,
    `${wellKnown}/mcp/`,
    `${wellKnown}x`,
    "/.well-known/openid-configuration",
  ])("is not at %s", (path) => {
    expect(create().metadata(at(path))).toBeUndefined()
  })

  it("can be read by any web page, and changed by none", async () => {
    const server = create()
    const origin = "access-control-allow-origin"
    const preflight = server.metadata(at(wellKnown, { method: "OPTIONS" }))
    expect(preflight?.status).toBe(204)
    expect(preflight?.headers.get(origin)).toBe("*")
    expect(preflight?.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version")
    expect(server.metadata(at(wellKnown))?.headers.get(origin)).toBe("*")
    expect(await server.metadata(at(wellKnown, { method: "HEAD" }))?.text()).toBe("")
    expect(server.metadata(at(wellKnown, { method: "POST" }))?.status).toBe(405)
  })
})

describe("the official client", () => {
  let http: Server
  let oidc: Oidc
  let server: ResourceServer
  let address: string

  beforeAll(async () => {
    http = createServer(async (incoming, outgoing) => {
      const headers = incoming.headers as Record<string, string>
      const request = new Request(new URL(incoming.url ?? "/", address), { method: incoming.method ?? "GET", headers })
      const answer = server.metadata(request) ?? (await server.authenticate(request))
      const response = answer instanceof Response ? answer : Response.json(answer)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
    })
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    oidc = await startAuthorizationServer({ [address]: "jwt" })
    server = create({
      resource: address,
      issuers: [{ issuer: oidc.issuer, tenant: "acme", verify: { by: "jwt" } }],
      fetch: createGuardedFetch({ ...metadataLimits, allowLoopback: true }),
      requires: ["notes.read"],
    })
  })
  afterAll(async () => {
    http.close()
    http.closeAllConnections()
    await oidc.close()
  })

  verifies("caller.finds-the-way", "discovers the authorization server from the 401", async () => {
    const refused = await fetch(address, { method: "POST" })
    expect(refused.status).toBe(401)
    const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(refused)
    expect([resourceMetadataUrl?.href, scope, error]).toEqual([server.metadataUrl, "notes.read", undefined])
    const discovered = await discoverOAuthServerInfo(address, {
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    })
    expect(discovered.authorizationServerUrl).toBe(oidc.issuer)
    expect(discovered.authorizationServerMetadata?.issuer).toBe(oidc.issuer)
    expect(discovered.resourceMetadata?.resource).toBe(address)
  })

  verifies("caller.finds-the-way", "discovers it without the header as well", async () => {
    expect((await discoverOAuthProtectedResourceMetadata(address)).resource).toBe(address)
  })

  verifies("caller.finds-the-way", "gets a token there that this server accepts", async () => {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(await fetch(address, { method: "POST" }))
    const known = { ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}), ...(scope ? { scope } : {}) }
    const client = createClient()
    expect(await auth(client, { serverUrl: address, ...known })).toBe("REDIRECT")
    const back = await openBrowser().follow(client.sentTo(), redirectUri)
    const authorizationCode = back.searchParams.get("code") ?? ""
    const iss = back.searchParams.get("iss") ?? ""
    expect(await auth(client, { serverUrl: address, ...known, authorizationCode, iss })).toBe("AUTHORIZED")
    const { access_token: token = "" } = (await client.tokens()) ?? {}
    const entered = await fetch(address, { method: "POST", headers: { authorization: `Bearer ${token}` } })
    expect(entered.status).toBe(200)
    expect(await entered.json()).toMatchObject({
      principal: { tenant: "acme", issuer: oidc.issuer, subject: "alice" },
      clientId: oidcClient.id,
      scopes: ["notes.read"],
    })
  })
})

/** What an MCP client remembers between the two halves of a sign-in. */
function createClient(): OAuthClientProvider & { sentTo(): string } {
  let sentTo = ""
  let verifier = ""
  let tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>
  let discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>
  return {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "Editor", redirect_uris: [redirectUri] },
    clientInformation: () => ({ client_id: oidcClient.id, client_secret: oidcClient.secret }),
    tokens: () => tokens,
    saveTokens(given) {
      noteCanary("access_token", given.access_token)
      tokens = given
    },
    redirectToAuthorization(url) {
      sentTo = url.href
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(given) {
      discovered = given
    },
    discoveryState: () => discovered,
    sentTo: () => sentTo,
  }
}
