// An authorization server whose keys the tests hold, on a free port: metadata, key set and introspection, each counted
// and changeable. And a resource server in front of it, with a clock to advance.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createGuardedFetch, metadataLimits } from "@holdpoint/accounts"
import type { Caller, ResourceServer } from "@holdpoint/server/identity"
import type { TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import type { TokenIssuer } from "../../../src/identity/resource/issuer.ts"
import type { ResourceServerOptions } from "../../../src/identity/resource/options.ts"
import { createResourceServer } from "../../../src/identity/resource/server.ts"

export const resource = "https://mcp.example.com/mcp"
export const other = "https://other.example.com/mcp"
export const secretOfUs = "introspection-secret-of-the-tests"
export const start = Date.UTC(2026, 0, 1)
const startSeconds = start / 1_000

type Content = Readonly<Record<string, unknown>>

export interface Issued {
  readonly key: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

export async function newKey(kid: string, alg = "ES256"): Promise<Issued> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { key: privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } }
}

export interface TestIssuer {
  readonly issuer: string
  /** May be changed at any time. */
  keys: JWK[]
  readonly metadata: Record<string, unknown>
  /** What introspection answers; inactive for every other token. */
  readonly active: Map<string, Content>
  /** Status to answer with instead, by path. */
  readonly broken: Map<string, number>
  /** Every path that was asked, in order. */
  readonly asked: string[]
  count(path: string): number
  readonly signing: Issued
  /** A good access token for `resource`, but for what is changed; undefined removes a claim. */
  sign(claims?: Content, header?: Content, key?: Issued): Promise<string>
  close(): Promise<void>
}

export const paths = {
  oauth: "/.well-known/oauth-authorization-server",
  oidc: "/.well-known/openid-configuration",
  keys: "/keys",
  introspection: "/introspect",
}

export async function startIssuer(): Promise<TestIssuer> {
  const signing = await newKey("first")
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    made.asked.push(path)
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      const answer = answerOf(path, body, request.headers.authorization)
      const status = made.broken.get(path) ?? (answer === undefined ? 404 : 200)
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(answer ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made: TestIssuer = {
    issuer,
    keys: [signing.jwk],
    metadata: { issuer, jwks_uri: `${issuer}${paths.keys}`, introspection_endpoint: `${issuer}${paths.introspection}` },
    active: new Map(),
    broken: new Map(),
    asked: [],
    count: (path) => made.asked.filter((one) => one === path).length,
    signing,
    sign: (claims, header, key = signing) => signToken({ ...claimsOf(issuer), ...claims }, header, key),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return made

  function answerOf(path: string, body: string, authorization: string | undefined): unknown {
    switch (path) {
      case paths.oauth:
      case paths.oidc:
        return made.metadata
      case paths.keys:
        return { keys: made.keys }
      case paths.introspection: {
        if (decoded(authorization) !== `us:${secretOfUs}`) return { error: "invalid_client" }
        const claims = made.active.get(new URLSearchParams(body).get("token") ?? "")
        return claims === undefined ? { active: false } : { active: true, ...claims }
      }
    }
  }
}

const decoded = (header = ""): string =>
  decodeURIComponent(Buffer.from(header.slice("Basic ".length), "base64").toString())

export const claimsOf = (iss: string): Content => ({
  ...{ iss, sub: "alice", aud: resource, client_id: "editor", scope: "notes.read" },
  ...{ iat: startSeconds, exp: startSeconds + 3_600, jti: "1" },
})

export async function signToken(claims: Content, header: Content = {}, { key, jwk }: Issued): Promise<string> {
  const protectedHeader = { alg: String(jwk.alg), kid: String(jwk.kid), typ: "at+jwt", ...header }
  return noted(await new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(key))
}

/** Registers the token as a secret that no test may leak. */
export function noted(token: string): string {
  noteCanary("access_token", token)
  return token
}

export interface World {
  readonly server: ResourceServer
  readonly clock: TestClock
  readonly reports: string[]
  /** The caller of a request with this token. */
  call(token: string): Promise<Caller | Response>
  /** The error and its words, as the header has them; `ok` when the caller is accepted. */
  outcomeOf(token: string): Promise<string>
}

export function createWorld(issuers: readonly TokenIssuer[], options: Partial<ResourceServerOptions> = {}): World {
  const clock = createTestClock(start)
  const reports: string[] = []
  const server = createResourceServer({
    resource,
    issuers,
    fetch: createGuardedFetch({ ...metadataLimits, allowLoopback: true }),
    runtime: clock,
    report: (doing, error) => {
      const words = `${doing}: ${error instanceof Error ? error.message : error}`
      hear("report", "resource server", words)
      reports.push(words)
    },
    ...options,
  })
  const call = (token: string) => server.authenticate(requestWith(token))
  return { server, clock, reports, call, outcomeOf: async (token) => describeOutcome(await call(token)) }
}

export function byJwt({ issuer }: TestIssuer, more: Partial<TokenIssuer> = {}): TokenIssuer {
  return { issuer, tenant: "acme", verify: { by: "jwt" }, ...more }
}

export function byIntrospection({ issuer }: TestIssuer, cacheMs?: number): TokenIssuer {
  noteCanary("client_secret", secretOfUs)
  const client = { id: "us", secret: secretOfUs }
  return {
    issuer,
    tenant: "acme",
    verify: { by: "introspection", client, ...(cacheMs === undefined ? {} : { cacheMs }) },
  }
}

export function requestWith(token: string, address = resource): Request {
  return new Request(address, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: "{}" })
}

export async function describeOutcome(answer: Caller | Response): Promise<string> {
  if (!(answer instanceof Response)) return "ok"
  const header = answer.headers.get("www-authenticate") ?? ""
  const body = await answer.text()
  hear("page", "resource server", `${header}\n${body}`)
  const { error, error_description } = JSON.parse(body) as Readonly<Record<string, string>>
  return `${answer.status} ${error}: ${error_description}`
}
