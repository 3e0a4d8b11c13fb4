// What token answers mean, by literals.

import { describe, expect, it } from "vitest"
import type { OAuthProvider, OAuthQuirks } from "../../../src/core/provider.ts"
import { judgeRefusal } from "../../../src/vault/oauth/refresh.ts"
import { judgeRevocation } from "../../../src/vault/oauth/revoke.ts"
import { grantedScopes, judgeTokens, toCredentials } from "../../../src/vault/oauth/tokens.ts"

const good = { access_token: "a", token_type: "Bearer", expires_in: 3600, refresh_token: "r", scope: "read write" }

function judge(
  body: unknown,
  { status = 200, quirks = {} as OAuthQuirks, use = "exchange" as "exchange" | "refresh" } = {},
) {
  return judgeTokens({ status, body }, quirks, use)
}

describe("a token answer", () => {
  it("is read as the specification has it", () => {
    expect(judge(good)).toEqual({
      kind: "tokens",
      tokens: { accessToken: "a", refreshToken: "r", lifetime: 3600, scopes: ["read", "write"] },
    })
  })

  it.each<[unknown, number | undefined]>([
    [3600, 3600],
    ["3600", 3600],
    [315_705_599, 315_705_599],
    [0, undefined],
    [-1, undefined],
    ["-1", undefined],
    ["soon", undefined],
    ["", undefined],
    [null, undefined],
    [Number.NaN, undefined],
    [1e12, undefined],
    ["9".repeat(400), undefined],
    [{}, undefined],
    [undefined, undefined],
  ])("with expires_in %j lives for %s seconds", (expires_in, lifetime) => {
    const judged = judge({ ...good, expires_in })
    expect(judged).toMatchObject({ kind: "tokens" })
    expect(judged.kind === "tokens" && judged.tokens.lifetime).toBe(lifetime)
  })

  it.each(["bearer", "BEARER", "Bearer"])("is accepted with token_type %s", (token_type) => {
    expect(judge({ ...good, token_type })).toMatchObject({ kind: "tokens" })
  })

  it.each<[unknown, OAuthQuirks, boolean]>([
    ["mac", {}, false],
    ["DPoP", {}, false],
    [undefined, {}, false],
    [7, {}, false],
    ["user", { tokenTypes: ["user"] }, true],
    ["bot", { tokenTypes: ["user"] }, false],
    [undefined, { tokenTypes: ["absent"] }, true],
  ])("with token_type %j and %j is usable: %s", (token_type, quirks, usable) => {
    expect(judge({ ...good, token_type }, { quirks }).kind).toBe(usable ? "tokens" : "unclear")
  })

  it.each<[string, unknown, number]>([
    ["a page", undefined, 200],
    ["a list", [good], 200],
    ["nothing", null, 200],
    ["text", "access_token=a", 200],
    ["no token", { token_type: "bearer" }, 200],
    ["an empty token", { ...good, access_token: "" }, 200],
    ["a token that is no text", { ...good, access_token: { a: 1 } }, 200],
    ["a redirect", good, 302],
    ["a refusal without a code", { message: "no" }, 400],
    ["tokens with a status that says no", good, 403],
  ])("that is %s decides nothing", (_name, body, status) => {
    expect(judge(body, { status })).toMatchObject({ kind: "unclear" })
  })

  it("is an error whatever its status, under the name that the specification has for it", () => {
    const quirks = { errorMap: { bad_verification_code: "invalid_grant" } }
    expect(judge({ error: "bad_verification_code" }, { quirks })).toEqual({ kind: "error", error: "invalid_grant" })
    expect(judge({ error: "invalid_grant" }, { status: 401 })).toEqual({ kind: "error", error: "invalid_grant" })
    expect(judge({ error: "constructor" }, { quirks })).toEqual({ kind: "error", error: "constructor" })
    expect(judge({ ...good, ok: false, error: "x" }, { quirks: { okMember: "ok" } })).toEqual({
      kind: "error",
      error: "x",
    })
    expect(judge(good, { quirks: { okMember: "ok" } })).toMatchObject({ kind: "unclear" })
  })

  it("has the person's tokens where the data says, and at the top only on refresh", () => {
    const quirks = { tokenPath: "authed_user" }
    const both = { ...good, access_token: "of-the-bot", authed_user: good }
    expect(judge(both, { quirks })).toMatchObject({ tokens: { accessToken: "a" } })
    expect(judge(good, { quirks })).toMatchObject({ kind: "unclear" })
    expect(judge(good, { quirks, use: "refresh" })).toMatchObject({ tokens: { accessToken: "a" } })
    expect(judge({ ...good, authed_user: { id: "U1" } }, { quirks })).toMatchObject({ kind: "unclear" })
  })
})

describe("what is kept of it", () => {
  const provider = (quirks: OAuthQuirks) => ({ quirks }) as OAuthProvider
  const issue = { asked: ["read"], at: 1000, fields: { refresh_token: "old", account_id: "7", access_token: "old" } }

  it("is the new refresh token, or the old one when there is none", () => {
    expect(toCredentials(provider({}), { accessToken: "a", refreshToken: "r" }, issue).fields.refresh_token).toBe("r")
    expect(toCredentials(provider({}), { accessToken: "a" }, issue).fields).toEqual({
      access_token: "a",
      refresh_token: "old",
      account_id: "7",
      token_type: "Bearer",
      scope: "read",
    })
    expect(
      toCredentials(provider({ refresh: "never" }), { accessToken: "a" }, issue).fields.refresh_token,
    ).toBeUndefined()
  })

  it.each<[number | undefined, OAuthQuirks, number | undefined]>([
    [60, {}, 61_000],
    [undefined, {}, undefined],
    [undefined, { assumedLifetime: 30 }, 31_000],
    [60, { assumedLifetime: 30 }, 61_000],
    [60, { neverExpires: true }, undefined],
  ])("ends, with a lifetime of %s and %j, at %s", (lifetime, quirks, expiresAt) => {
    const tokens = { accessToken: "a", ...(lifetime === undefined ? {} : { lifetime }) }
    expect(toCredentials(provider(quirks), tokens, issue).expiresAt).toBe(expiresAt)
  })

  it.each<[readonly string[] | undefined, readonly string[], OAuthQuirks, readonly string[]]>([
    [undefined, ["read"], {}, ["read"]],
    [["read"], ["read", "write"], {}, ["read"]],
    [[], ["read"], {}, []],
    [["other"], ["read"], { scopes: "ignored" }, ["read"]],
    [["repo"], ["repo", "public_repo"], { scopeImpliedBy: { public_repo: ["repo"] } }, ["repo", "public_repo"]],
    [["gist"], ["repo", "public_repo"], { scopeImpliedBy: { public_repo: ["repo"] } }, ["gist"]],
  ])("is %j of %j with %j: %j", (said, asked, quirks, scopes) => {
    expect(grantedScopes(said, asked, quirks)).toEqual(scopes)
  })
})

describe("a refused refresh", () => {
  it.each<[string, OAuthQuirks, string, string]>([
    ["invalid_grant", {}, "dead", "grant_ended"],
    ["invalid_request", { deadGrantErrors: ["invalid_request"] }, "dead", "grant_ended"],
    ["invalid_request", {}, "unknown", "client_refused"],
    ["invalid_client", {}, "unknown", "client_refused"],
    ["unauthorized_client", {}, "unknown", "client_refused"],
    ["invalid_scope", {}, "unknown", "client_refused"],
    ["temporarily_unavailable", {}, "unknown", "provider_temporarily_unavailable"],
    ["server_error", {}, "unknown", "provider_server_error"],
    ["<script>", {}, "unknown", "provider_error"],
  ])("with %s and %j is %s (%s)", (error, quirks, kind, code) => {
    expect(judgeRefusal(error, quirks)).toMatchObject({ kind, reason: { code } })
  })
})

describe("a revocation", () => {
  it.each<[number, unknown, string]>([
    [200, undefined, "revoked"],
    [204, undefined, "revoked"],
    [400, { error: "unsupported_token_type" }, "revoked"],
    [400, { error: "invalid_token" }, "revoked"],
    [400, { error: "invalid_client" }, "later"],
    [401, undefined, "later"],
    [302, undefined, "later"],
    [404, undefined, "later"],
  ])("answered with %i and %j is %s", (status, body, kind) => {
    expect(judgeRevocation(status, body)).toMatchObject({ kind })
  })
})
