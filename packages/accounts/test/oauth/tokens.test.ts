// What token answers mean, tested with literals.

import { describe, expect, it } from "vitest"
import type { OAuthQuirks } from "../../../hub/src/core/provider.ts"
import { judgeTokens } from "../../src/oauth/tokens.ts"

const good = { access_token: "a", token_type: "Bearer", expires_in: 3600, refresh_token: "r", scope: "read write" }

function judge(
  body: unknown,
  { status = 200, quirks = {} as OAuthQuirks, use = "exchange" as "exchange" | "refresh" } = {},
) {
  return judgeTokens({ status, body }, quirks, use)
}

describe("a token answer", () => {
  it("is read as the specification defines it", () => {
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
    ["a token that is not text", { ...good, access_token: { a: 1 } }, 200],
    ["a redirect", good, 302],
    ["a refusal without a code", { message: "no" }, 400],
    ["tokens with an error status", good, 403],
  ])("that is %s is unclear", (_name, body, status) => {
    expect(judge(body, { status })).toMatchObject({ kind: "unclear" })
  })

  it("is an error at any status, under the name that the specification defines", () => {
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

  it("with status 401 and no body means that the client is refused", () => {
    expect(judge(undefined, { status: 401 })).toEqual({ kind: "error", error: "invalid_client" })
    expect(judge({ message: "no" }, { status: 401 })).toMatchObject({ kind: "unclear" })
  })

  it("has the person's tokens at the configured path, and at the top level only on refresh", () => {
    const quirks = { tokenPath: "authed_user" }
    const both = { ...good, access_token: "of-the-bot", authed_user: good }
    expect(judge(both, { quirks })).toMatchObject({ tokens: { accessToken: "a" } })
    expect(judge(good, { quirks })).toMatchObject({ kind: "unclear" })
    expect(judge(good, { quirks, use: "refresh" })).toMatchObject({ tokens: { accessToken: "a" } })
    expect(judge({ ...good, authed_user: { id: "U1" } }, { quirks })).toMatchObject({ kind: "unclear" })
  })
})
