// What is kept of issued tokens, and what refusals of a refresh or a revocation mean, by literals.

import type { OAuthProvider } from "@holdpoint/accounts"
import { describe, expect, it } from "vitest"
import type { OAuthQuirks } from "../../../../hub/src/core/provider.ts"
import { grantedScopes, toCredentials } from "../../../src/vault/oauth/credentials.ts"
import { judgeRefusal } from "../../../src/vault/oauth/refresh.ts"
import { judgeRevocation } from "../../../src/vault/oauth/revoke.ts"

describe("credentials from a token response", () => {
  const provider = (quirks: OAuthQuirks) => ({ quirks }) as OAuthProvider
  const issue = {
    requestedScopes: ["read"],
    requestedAt: 1000,
    fields: { refresh_token: "old", account_id: "7", access_token: "old" },
  }

  it("contain the new refresh token, or the old one when there is no new one", () => {
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
  ])("with a lifetime of %s and the quirks %j expire at %s", (lifetime, quirks, expiresAt) => {
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
  ])("with the scopes %j for the requested %j and the quirks %j have %j", (named, asked, quirks, scopes) => {
    expect(grantedScopes(named, asked, quirks)).toEqual(scopes)
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
  ])("with the error %s and the quirks %j is %s (%s)", (error, quirks, kind, code) => {
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
