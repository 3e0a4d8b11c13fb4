// Programs that are identified by the address of their metadata document, and programs that register themselves.

import { createServer, get } from "node:http"
import type { AddressInfo } from "node:net"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import { createTestClock } from "@holdpoint/testing"
import { verifies } from "@holdpoint/testkit/verifies"
import { decodeJwt } from "jose"
import { afterEach, describe, expect, it } from "vitest"
import { failureOf } from "../../../../fetching/src/failure.ts"
import type { AuthorizationOptions } from "../../../src/identity/authorization/index.ts"
import { artifactKind } from "../../../src/identity/authorization/records.ts"
import {
  type Authority,
  authorize,
  authorizeUrl,
  desk,
  documentOf,
  newVerifier,
  notes,
  openAuthority,
  openVisitor,
  redeem,
  refresh,
  writer,
} from "./setup.ts"

let authority: Authority
afterEach(() => authority.close())

const ask = (id: string, redirectUri = writer.redirectUri) =>
  openVisitor().get(authorizeUrl(authority, { id, redirectUri }, newVerifier()))

describe("a metadata document", () => {
  const id = writer.id
  const json = (more: Readonly<Record<string, unknown>>) => () => Response.json(documentOf(id, more))
  const answers: readonly (readonly [string, () => Response | Promise<Response>])[] = [
    ["of another client", json({ client_id: "https://writer.example/other.json" })],
    ["that is not there", () => new Response("", { status: 404 })],
    ["that redirects", () => new Response(null, { status: 302, headers: { location: "https://evil.example/" } })],
    ["that is not JSON", () => new Response("<html>")],
    ["that is a list", () => Response.json([])],
    ["that is huge", json({ client_name: "x".repeat(6_000) })],
    ["that cannot be reached", () => Promise.reject(new Error("refused"))],
    ["with a secret", json({ client_secret: "a-secret-that-everybody-reads" })],
    ["that wants a secret", json({ token_endpoint_auth_method: "client_secret_basic" })],
    [
      "with keys of its own",
      json({ token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://writer.example/jwks" }),
    ],
    ["without addresses", json({ redirect_uris: [] })],
    ["whose addresses are not a list", json({ redirect_uris: writer.redirectUri })],
    ["with a script for an address", json({ redirect_uris: [writer.redirectUri, "javascript:alert(1)"] })],
    ["with a scheme of its own", json({ redirect_uris: [writer.redirectUri, "writer:/callback"] })],
    ["with an address over plain http", json({ redirect_uris: [writer.redirectUri, "http://writer.example/cb"] })],
    ["with a fragment", json({ redirect_uris: [writer.redirectUri, `${writer.redirectUri}#x`] })],
    ["with a user name in an address", json({ redirect_uris: [writer.redirectUri, "https://a@writer.example/cb"] })],
  ]
  it.each(answers)("%s is refused", async (_name, respond) => {
    authority = await openAuthority()
    authority.documents.set(id, respond)
    const { status, location } = await ask(id)
    expect([status, location]).toEqual([400, undefined])
    expect(authority.fetched.every((url) => url === id)).toBe(true)
  })

  const addresses = [
    ["without a path", "https://writer.example"],
    ["with an empty path", "https://writer.example/"],
    ["that is not https", "http://writer.example/client.json"],
    ["with a user name", "https://a:b@writer.example/client.json"],
    ["with a fragment", "https://writer.example/client.json#x"],
    ["with a dot segment", "https://writer.example/a/../client.json"],
    ["that is not normalized", "https://WRITER.example/client.json"],
    ["of a disguised IP address", "https://0x7f.1/client.json"],
  ] as const
  it.each(addresses)("at an address %s is not fetched", async (_name, address) => {
    authority = await openAuthority()
    authority.documents.set(address, () => Response.json(documentOf(address)))
    expect((await ask(address)).status).toBe(400)
    expect(authority.fetched).toEqual([])
  })

  it.each([
    "https://127.0.0.1/client.json",
    "https://10.1.2.3/client.json",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/client.json",
    "https://localhost/client.json",
    "https://intranet/client.json",
  ])("at %s is never fetched: the fetch is guarded", async (address) => {
    const refused: unknown[] = []
    const guarded = createGuardedFetch(metadataLimits)
    const fetch: typeof guarded = async (url, init) => {
      try {
        return await guarded(url, init)
      } catch (error) {
        refused.push(failureOf(error)?.kind)
        throw error
      }
    }
    authority = await openAuthority({ fetch })
    expect((await ask(address)).status).toBe(400)
    expect(new Set(refused)).toEqual(new Set(["refused_address"]))
  })

  it("that redirects is not followed, even to an allowed address", async () => {
    const visited: string[] = []
    const http = createServer((request, response) => {
      visited.push(request.url ?? "")
      response.writeHead(302, { location: "/second" }).end()
    })
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    const { port } = http.address() as AddressInfo
    const guarded = createGuardedFetch({ ...metadataLimits, allowLoopback: true })
    authority = await openAuthority({ fetch: (_url, init) => guarded(`http://127.0.0.1:${port}/first`, init) })
    expect((await ask(writer.id)).status).toBe(400)
    expect(new Set(visited)).toEqual(new Set(["/first"]))
    http.close()
  })

  verifies(
    "authority.known-by-document",
    "is trusted only for the name and the redirect URIs of the program",
    async () => {
      authority = await openAuthority()
      const more = {
        ...{ logo_uri: "https://writer.example/logo.png", jwks_uri: "https://writer.example/jwks" },
        ...{ sector_identifier_uri: "https://evil.example/sector", initiate_login_uri: "https://writer.example/go" },
        ...{
          grant_types: ["authorization_code"],
          default_max_age: 1,
          require_auth_time: true,
          subject_type: "pairwise",
        },
      }
      authority.documents.set(id, json(more))
      expect((await redeem(authority, await authorize(authority, writer))).status).toBe(200)
      expect(new Set(authority.fetched)).toEqual(new Set([id]))
    },
  )

  it("is cached as long as its headers and our limits allow", async () => {
    authority = await openAuthority()
    const headers = { "cache-control": "max-age=600" }
    authority.documents.set(id, () => Response.json(documentOf(id), { headers }))
    await redeem(authority, await authorize(authority, writer))
    await redeem(authority, await authorize(authority, writer))
    expect(authority.fetched).toEqual([id])
  })

  it("of an allowed program stays valid while its host is down, but not after its removal there", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock })
    const { tokens } = await redeem(authority, await authorize(authority, writer))
    const [first] = authority.nodes.splice(0)
    authority.documents.set(id, () => new Response("", { status: 503 }))
    await authority.addNode()
    const next = await refresh(authority, writer, tokens.refresh_token)
    expect(next.status).toBe(200)
    authority.nodes.splice(0)
    authority.documents.set(id, () => Promise.reject(new Error("down")))
    await authority.addNode()
    const later = await refresh(authority, writer, next.tokens.refresh_token)
    expect(later.status).toBe(200)
    authority.nodes.splice(0)
    authority.documents.set(id, () => new Response("", { status: 410 }))
    await authority.addNode()
    expect(await refresh(authority, writer, later.tokens.refresh_token)).toMatchObject({ error: "invalid_client" })
    expect(first).toBeDefined()
  })

  it("of a program that was never allowed is not stored", async () => {
    authority = await openAuthority()
    await ask(id)
    const all = await authority.storage.records(artifactKind).list({ tenant: "authorization", limit: 100 })
    expect(all.map(({ kind }) => kind)).not.toContain("Document")
  })

  it("is fetched no more often than the limit, only from allowed hosts, or not at all", async () => {
    authority = await openAuthority({ metadataDocuments: { perMinute: 2 } })
    for (const name of ["a", "b", "c"]) await ask(`https://writer.example/${name}.json`)
    expect(authority.fetched.length).toBeLessThanOrEqual(2)
    await authority.close()
    authority = await openAuthority({ metadataDocuments: { hosts: ["claude.example"] } })
    expect([(await ask(id)).status, authority.fetched]).toEqual([400, []])
    await authority.close()
    authority = await openAuthority({ metadataDocuments: false })
    expect([(await ask(id)).status, authority.fetched]).toEqual([400, []])
  })

  it("of a program on the person's machine lets the program choose its port", async () => {
    authority = await openAuthority()
    const redirect_uris = ["http://localhost:3118/callback", "http://127.0.0.1/callback"]
    authority.documents.set(id, json({ redirect_uris }))
    for (const redirectUri of ["http://localhost:50123/callback", "http://127.0.0.1:50124/callback"])
      expect((await redeem(authority, await authorize(authority, { id, redirectUri }))).status).toBe(200)
    expect((await ask(id, "http://localhost:50123/other")).status).toBe(400)
  })
})

describe("dynamic client registration", () => {
  const register = async (body: unknown) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(`${authority.issuer}/oauth/register`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, said: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> }
  }
  const program = { client_name: "Desk", redirect_uris: [desk.redirectUri] }
  const metadata = async () =>
    (await (await fetch(`${authority.issuer}/.well-known/oauth-authorization-server`)).json()) as Record<
      string,
      unknown
    >

  verifies("authority.registration", "is off by default, and then not in the metadata", async () => {
    authority = await openAuthority()
    expect((await register(program)).status).toBe(404)
    expect(await metadata()).not.toHaveProperty("registration_endpoint")
  })

  it("creates a public client, whatever the program asks for, and the client gets tokens", async () => {
    authority = await openAuthority({ registration: {} })
    expect(await metadata()).toMatchObject({ registration_endpoint: `${authority.issuer}/oauth/register` })
    const more = {
      token_endpoint_auth_method: "client_secret_post",
      scope: "everything",
      logo_uri: "https://evil.example/x",
    }
    const { status, said } = await register({ ...program, ...more, client_id: "mine" })
    expect(status).toBe(201)
    expect(said).toMatchObject({ ...program, token_endpoint_auth_method: "none" })
    for (const name of ["client_secret", "logo_uri", "scope", "registration_access_token"])
      expect(said).not.toHaveProperty(name)
    expect(said.client_id).not.toBe("mine")
    const client = { id: String(said.client_id), redirectUri: desk.redirectUri }
    const { tokens } = await redeem(authority, await authorize(authority, client))
    expect((await refresh(authority, client, tokens.refresh_token)).status).toBe(200)
    expect(authority.fetched).toEqual([])
  })

  it.each([
    ["javascript:alert(1)"],
    ["writer:/callback"],
    ["http://writer.example/callback"],
    ["https://writer.example/callback#x"],
    ["https://localhost/callback"],
    ["data:text/html,x"],
  ])("refuses %s", async (uri) => {
    authority = await openAuthority({ registration: {} })
    const { status, said } = await register({ redirect_uris: [uri] })
    expect([status, said.error]).toEqual([400, "invalid_redirect_uri"])
  })

  verifies("authority.registration", "is limited in rate, number and lifetime", async () => {
    const clock = createTestClock(Date.now())
    authority = await openAuthority({ runtime: clock, registration: { perMinute: 2, most: 3, lifetimeMs: 3_600_000 } })
    const [first, ...rest] = [await register(program), await register(program), await register(program)]
    expect([first, ...rest].map(({ status }) => status)).toEqual([201, 201, 429])
    await clock.advance(61_000)
    expect((await register(program)).status).toBe(201)
    expect((await register(program)).status).toBe(429)
    await clock.advance(3_600_000)
    expect((await register(program)).status).toBe(201)
    expect((await ask(String(first?.said.client_id), desk.redirectUri)).status).toBe(400)
  })
})

describe("a server at the root of its host", () => {
  it("is accepted with and without the slash, and its tokens name the configured form", async () => {
    authority = await openAuthority({ resources: [{ ...notes, resource: "https://notes.example" }] })
    for (const resource of ["https://notes.example", "https://notes.example/"]) {
      const { status, tokens } = await redeem(authority, await authorize(authority, writer, { resource }), { resource })
      expect([status, decodeJwt(tokens.access_token).aud]).toEqual([200, "https://notes.example"])
    }
  })
})

describe("cookies", () => {
  it("over https are Secure, HttpOnly, SameSite=Lax and tied to our host", async () => {
    authority = await openAuthority()
    const port = new URL(authority.issuer).port
    authority.nodes.splice(0)
    await authority.addNode({ issuer: "https://hub.example" })
    const { pathname, search } = new URL(authorizeUrl({ issuer: "https://hub.example" }, desk, newVerifier()))
    const lines = await new Promise<readonly string[]>((resolve) => {
      get({ host: "127.0.0.1", port, path: pathname + search, headers: { host: "hub.example" } }, (response) => {
        response.resume()
        resolve(response.headers["set-cookie"] ?? [])
      })
    })
    const own = lines.find((line) => line.startsWith("__Host-hp_authorize_")) ?? ""
    for (const line of [own, ...lines.filter((one) => one.startsWith("hp_oauth_resume="))])
      for (const flag of ["secure", "httponly", "samesite=lax"]) expect(line.toLowerCase()).toContain(flag)
    expect(own.toLowerCase()).toContain("path=/;")
  })
})

describe("an authorization server", () => {
  const wrong: readonly (readonly [string, Partial<AuthorizationOptions>])[] = [
    ["an issuer over plain http", { issuer: "http://hub.example" }],
    ["an issuer with a slash at its end", { issuer: "https://hub.example/" }],
    ["an issuer with a query", { issuer: "https://hub.example?a=b" }],
    ["no resource", { resources: [] }],
    ["a resource twice", { resources: [notes, notes] }],
    ["a resource without scopes", { resources: [{ ...notes, scopes: {} }] }],
    ["a scope with a space", { resources: [{ ...notes, scopes: { "a b": "c" } }] }],
    ["a default that is not a scope", { resources: [{ ...notes, defaultScopes: ["all"] }] }],
    ["a resource without a name", { resources: [{ ...notes, name: "" }] }],
    ["a client without an address", { clients: [{ clientId: "x", name: "X", redirectUris: [] }] }],
  ]
  it.each(wrong)("with %s is refused when it is created", async (_name, options) => {
    authority = await openAuthority()
    await expect(authority.addNode(options)).rejects.toMatchObject({ code: "invalid_config" })
  })
})

describe("metadata", () => {
  it.each(["", "/for/programs"])("is where RFC 8414 puts it, for an issuer with the path “%s”", async (path) => {
    authority = await openAuthority({ path })
    const { origin } = new URL(authority.issuer)
    const response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`)
    const { issuer } = authority
    const metadata = (await response.json()) as Record<string, unknown>
    expect(metadata).toMatchObject({
      ...{ issuer, authorization_endpoint: `${issuer}/oauth/authorize`, token_endpoint: `${issuer}/oauth/token` },
      ...{ revocation_endpoint: `${issuer}/oauth/revoke`, jwks_uri: `${issuer}/oauth/jwks` },
      ...{ response_types_supported: ["code"], response_modes_supported: ["query"] },
      ...{ grant_types_supported: ["authorization_code", "refresh_token"], code_challenge_methods_supported: ["S256"] },
      ...{ client_id_metadata_document_supported: true, authorization_response_iss_parameter_supported: true },
      scopes_supported: ["notes.read", "notes.write"],
    })
    expect(Object.keys(metadata).filter((name) => /id_token|claims|userinfo|subject/.test(name))).toEqual([])
    expect((await redeem(authority, await authorize(authority, writer))).status).toBe(200)
    expect((await fetch(`${origin}${path}/.well-known/openid-configuration`)).status).toBe(404)
  })
})
