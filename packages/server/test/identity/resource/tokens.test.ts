// Which signed tokens count: one table of attacks, each a good token with one thing wrong.

import { verifies } from "@holdpoint/testkit/verifies"
import { exportSPKI, SignJWT, UnsecuredJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TokenIssuer } from "../../../src/identity/resource/issuer.ts"
import { refusals, type TokenRefusal } from "../../../src/identity/resource/refusals.ts"
import type { Issued, TestIssuer } from "./setup.ts"
import { byJwt, claimsOf, createWorld, newKey, noted, other, resource, start, startIssuer } from "./setup.ts"

const seconds = start / 1_000
let corp: TestIssuer
let partner: TestIssuer
let foreign: Issued

beforeAll(async () => {
  ;[corp, partner, foreign] = await Promise.all([startIssuer(), startIssuer(), newKey("first")])
})
afterAll(() => Promise.all([corp.close(), partner.close()]))

interface Attack {
  readonly title: string
  readonly refusal: TokenRefusal
  readonly token: () => Promise<string>
  /** The issuer's data, where another would be refused anyway. */
  readonly issuer?: Partial<TokenIssuer>
}

const marked = (typ: string | undefined) => ({ typ })
const unmarked: Partial<TokenIssuer> = { verify: { by: "jwt", typ: "JWT" } }

const attacks: readonly Attack[] = [
  {
    title: "no signature at all (alg none)",
    refusal: "signature",
    token: async () => unsecured("at+jwt"),
  },
  { title: "a signature that was cut off", refusal: "signature", token: async () => cut(await corp.sign()) },
  {
    title: "HS256 with the public key as its secret",
    refusal: "signature",
    token: async () => macWith(new TextEncoder().encode(await exportSPKI(corp.signing.publicKey))),
  },
  {
    title: "HS256 with the public JWK as its secret",
    refusal: "signature",
    token: async () => macWith(new TextEncoder().encode(JSON.stringify(corp.signing.jwk))),
  },
  { title: "another key with the same id", refusal: "signature", token: () => corp.sign({}, {}, foreign) },
  {
    title: "an embedded key (jwk)",
    refusal: "signature",
    token: () => corp.sign({}, { jwk: foreign.jwk, kid: undefined }, foreign),
  },
  {
    title: "an embedded address of keys (jku, x5u)",
    refusal: "signature",
    token: () => {
      partner.keys = [partner.signing.jwk, foreign.jwk]
      return corp.sign({}, { jku: `${partner.issuer}/keys`, x5u: `${partner.issuer}/keys`, kid: "other" }, foreign)
    },
  },
  {
    title: "a key id that is a path",
    refusal: "signature",
    token: () => corp.sign({}, { kid: "../../../../dev/null" }, foreign),
  },
  {
    title: "a key id that is a property of every object",
    refusal: "signature",
    token: () => corp.sign({}, { kid: "__proto__" }, foreign),
  },
  {
    title: "one trusted issuer's key for another's token",
    refusal: "signature",
    token: () => corp.sign({}, { kid: "first" }, partner.signing),
  },
  {
    title: "one trusted issuer's name in another's token",
    refusal: "signature",
    token: () => partner.sign({ iss: corp.issuer }),
  },
  {
    title: "an issuer that is not trusted",
    refusal: "unknown_issuer",
    token: () => corp.sign({ iss: "https://evil.example" }),
  },
  {
    title: "an issuer with an extra slash",
    refusal: "unknown_issuer",
    token: () => corp.sign({ iss: `${corp.issuer}/` }),
  },
  { title: "an issuer that is a list", refusal: "unknown_issuer", token: () => corp.sign({ iss: [corp.issuer] }) },
  { title: "no issuer", refusal: "unknown_issuer", token: () => corp.sign({ iss: undefined }) },
  { title: "the audience of another server", refusal: "audience", token: () => corp.sign({ aud: other }) },
  { title: "an audience with an extra slash", refusal: "audience", token: () => corp.sign({ aud: `${resource}/` }) },
  {
    title: "the host as its audience",
    refusal: "audience",
    token: () => corp.sign({ aud: new URL(resource).origin }),
  },
  { title: "the client as its audience", refusal: "audience", token: () => corp.sign({ aud: "editor" }) },
  { title: "no audience", refusal: "audience", token: () => corp.sign({ aud: undefined }) },
  { title: "an audience that is not text", refusal: "audience", token: () => corp.sign({ aud: [{ toString: 1 }] }) },
  { title: "an expiry in the past", refusal: "expired", token: () => corp.sign({ exp: seconds - 31 }) },
  { title: "no expiry", refusal: "lifetime", token: () => corp.sign({ exp: undefined }) },
  { title: "a start in the future (nbf)", refusal: "not_yet_valid", token: () => corp.sign({ nbf: seconds + 60 }) },
  { title: "an issue in the future (iat)", refusal: "not_yet_valid", token: () => corp.sign({ iat: seconds + 60 }) },
  { title: "an ID token's type", refusal: "not_access", token: () => corp.sign({}, marked("JWT")) },
  { title: "no type", refusal: "not_access", token: () => corp.sign({}, marked(undefined)) },
  {
    title: "an ID token for a client that is its own audience",
    refusal: "not_access",
    issuer: { ...unmarked, audience: "editor" },
    token: () => corp.sign({ aud: "editor", azp: "editor", nonce: "n" }, marked("JWT")),
  },
  {
    title: "an ID token without a nonce, by its hash",
    refusal: "not_access",
    issuer: unmarked,
    token: () => corp.sign({ at_hash: "h" }, marked("JWT")),
  },
  {
    title: "an ID token by its claim token_use",
    refusal: "not_access",
    issuer: unmarked,
    token: () => corp.sign({ token_use: "id" }, marked(undefined)),
  },
  {
    title: "a refresh token by its claim typ",
    refusal: "not_access",
    issuer: unmarked,
    token: () => corp.sign({ typ: "Refresh" }, marked("JWT")),
  },
  {
    title: "an assertion for the authorization server (ID-JAG)",
    refusal: "not_access",
    issuer: unmarked,
    token: () => corp.sign({}, marked("oauth-id-jag+jwt")),
  },
  {
    title: "a logout token",
    refusal: "not_access",
    issuer: unmarked,
    token: () => corp.sign({}, marked("logout+jwt")),
  },
  {
    title: "a binding to a key (DPoP)",
    refusal: "bound",
    token: () => corp.sign({ cnf: { jkt: "thumbprint" } }),
  },
  {
    title: "a binding to a certificate",
    refusal: "bound",
    token: () => corp.sign({ cnf: { "x5t#S256": "thumbprint" } }),
  },
  { title: "no client", refusal: "no_client", token: () => corp.sign({ client_id: undefined }) },
  { title: "an empty client", refusal: "no_client", token: () => corp.sign({ client_id: "" }) },
  { title: "no subject", refusal: "no_person", token: () => corp.sign({ sub: undefined }) },
  { title: "a subject of control characters", refusal: "no_person", token: () => corp.sign({ sub: "a\u0000b" }) },
  {
    title: "a tenant that is not the issuer's",
    refusal: "no_person",
    issuer: { tenant: { claim: "org", allowed: ["acme"] } },
    token: () => corp.sign({ org: "globex" }),
  },
  {
    title: "an extension that must be understood (crit)",
    refusal: "signature",
    token: critical,
  },
]

describe("a token with one thing wrong", () => {
  for (const { title, refusal, token, issuer } of attacks)
    verifies("caller.token-for-this-server", `is refused: ${title}`, async () => {
      const { outcomeOf } = createWorld([byJwt(corp, issuer), byJwt(partner)])
      expect(await outcomeOf(await token())).toBe(`401 invalid_token: ${refusals[refusal]}`)
    })

  it("causes no request for the keys when its algorithm is not allowed", async () => {
    const { outcomeOf } = createWorld([byJwt(corp)])
    const before = corp.asked.length
    await outcomeOf(await macWith(new Uint8Array(32)))
    await outcomeOf(unsecured("at+jwt"))
    expect(corp.asked.length).toBe(before)
  })
})

describe("a good token", () => {
  verifies("caller.token-for-this-server", "names the caller, the client, the scopes and the expiry", async () => {
    const { call } = createWorld([byJwt(corp), byJwt(partner)])
    const token = await corp.sign({ aud: [other, resource], scope: "notes.read notes.write notes.read" })
    const caller = await call(token)
    expect(caller).toEqual({
      principal: { tenant: "acme", issuer: corp.issuer, subject: "alice" },
      clientId: "editor",
      scopes: ["notes.read", "notes.write"],
      expiresAt: seconds + 3_600,
    })
    expect("token" in caller && caller.token === token).toBe(true)
    expect(JSON.stringify(caller)).not.toContain(token.slice(-20))
  })

  verifies("caller.token-for-this-server", "works until it expires, with a small clock tolerance", async () => {
    const { clock, outcomeOf } = createWorld([byJwt(corp, { clockToleranceSeconds: 10 })])
    const token = await corp.sign({ nbf: seconds + 9, exp: seconds + 60 })
    expect(await outcomeOf(token)).toBe("ok")
    clock.set(start + 69_000)
    expect(await outcomeOf(token)).toBe("ok")
    clock.set(start + 70_000)
    expect(await outcomeOf(token)).toContain(refusals.expired)
  })

  it.each([
    ["client_id", { client_id: "a" }],
    ["azp", { client_id: undefined, azp: "a" }],
    ["appid", { client_id: undefined, appid: "a" }],
    ["cid", { client_id: undefined, cid: "a" }],
  ])("names its client in %s", async (_claim, claims) => {
    const { call } = createWorld([byJwt(corp)])
    expect(await call(await corp.sign(claims))).toMatchObject({ clientId: "a" })
  })

  it.each([
    ["text in scope", { scope: "a b" }],
    ["text in scp", { scope: undefined, scp: "a b" }],
    ["a list in scp", { scope: undefined, scp: ["a", "b", 7, 'c"d'] }],
  ])("has its scopes as %s", async (_kind, claims) => {
    const { call } = createWorld([byJwt(corp)])
    expect(await call(await corp.sign(claims))).toMatchObject({ scopes: ["a", "b"] })
  })

  it.each(["at+jwt", "AT+JWT", "application/at+jwt"])("is marked as %s", async (typ) => {
    expect(await createWorld([byJwt(corp)]).outcomeOf(await corp.sign({}, marked(typ)))).toBe("ok")
  })

  it.each(["JWT", "jwt", undefined, "at+jwt"])("may be marked as %s where the issuer's data says so", async (typ) => {
    expect(await createWorld([byJwt(corp, unmarked)]).outcomeOf(await corp.sign({}, marked(typ)))).toBe("ok")
  })

  it.each(["RS256", "PS256", "ES384", "Ed25519"])("may be signed with %s, unless others are listed", async (alg) => {
    const key = await newKey(alg, alg)
    corp.keys = [corp.signing.jwk, key.jwk]
    const token = await corp.sign({}, {}, key)
    expect(await createWorld([byJwt(corp)]).outcomeOf(token)).toBe("ok")
    const strict = createWorld([byJwt(corp, { verify: { by: "jwt", algorithms: ["ES256"] } })])
    expect(await strict.outcomeOf(token)).toContain(refusals.signature)
    expect(await strict.outcomeOf(await corp.sign())).toBe("ok")
  })

  verifies("caller.token-for-this-server", "may name a bare host with and without its slash", async () => {
    for (const address of ["https://mcp.example.com", "https://mcp.example.com/"]) {
      const { outcomeOf } = createWorld([byJwt(corp)], { resource: address })
      expect(await outcomeOf(await corp.sign({ aud: "https://mcp.example.com" }))).toBe("ok")
      expect(await outcomeOf(await corp.sign({ aud: "https://mcp.example.com/" }))).toBe("ok")
      expect(await outcomeOf(await corp.sign({ aud: "https://mcp.example.com//" }))).toContain(refusals.audience)
    }
  })

  verifies("caller.same-person", "makes the principal that signing in would make, with tenant and roles", async () => {
    const { call } = createWorld([
      byJwt(corp, {
        tenant: { claim: "org", allowed: ["acme"] },
        roles: { claim: "realm.roles", fixed: { alice: ["x"] } },
      }),
    ])
    expect(await call(await corp.sign({ org: "acme", realm: { roles: ["admin", 7] } }))).toMatchObject({
      principal: { tenant: "acme", issuer: corp.issuer, subject: "alice", roles: ["admin", "x"] },
    })
  })

  verifies("caller.same-person", "makes the principal that the author's function makes, or none", async () => {
    const { call, outcomeOf } = createWorld([
      byJwt(corp, {
        toPrincipal: ({ oid }) =>
          typeof oid === "string" ? { tenant: "t", issuer: "entra", subject: oid } : undefined,
      }),
    ])
    expect(await call(await corp.sign({ oid: "7" }))).toMatchObject({
      principal: { tenant: "t", issuer: "entra", subject: "7" },
    })
    expect(await outcomeOf(await corp.sign())).toContain(refusals.no_person)
    expect(await outcomeOf(await corp.sign({ oid: "" }))).toContain(refusals.no_person)
  })
})

function unsecured(typ: string): string {
  const made = new UnsecuredJWT({ ...claimsOf(corp.issuer) }).encode()
  const header = Buffer.from(JSON.stringify({ alg: "none", typ })).toString("base64url")
  return noted(`${header}.${made.split(".")[1]}.`)
}

const cut = (token: string): string => `${token.slice(0, -10)}`

async function macWith(secret: Uint8Array): Promise<string> {
  const header = { alg: "HS256", kid: "first", typ: "at+jwt" }
  return noted(await new SignJWT({ ...claimsOf(corp.issuer) }).setProtectedHeader(header).sign(secret))
}

async function critical(): Promise<string> {
  const header = { alg: "ES256", kid: "first", typ: "at+jwt", crit: ["ours"], ours: 1 }
  const made = new SignJWT({ ...claimsOf(corp.issuer) }).setProtectedHeader(header)
  return noted(await made.sign(corp.signing.key, { crit: { ours: true } }))
}
