// The answer that a browser brings back is judged before any request is sent. Tested with literals.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { judgeAnswer } from "../../src/oauth/authorization-answer.ts"

const state = "the-state-that-was-sent"
const issuer = "https://id.example.com"
const microsoft = "https://login.microsoftonline.com/{tenantid}/v2.0"
const tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

function judge(query: string, { namesIssuer = false, from = issuer as string | undefined } = {}) {
  return judgeAnswer({ parameters: new URLSearchParams(query), state, issuer: from }, { namesIssuer })
}

describe("an answer from the provider", () => {
  it("is a code when all parameters match", () => {
    expect(judge(`code=abc&state=${state}&scope=email&authuser=0`)).toEqual({ kind: "code", code: "abc" })
    expect(judge(`code=abc&state=${state}&iss=${issuer}`, { namesIssuer: true })).toEqual({ kind: "code", code: "abc" })
  })

  it.each<[string, string, string]>([
    ["the state of another attempt", "code=abc&state=another", "wrong_state"],
    ["no state", "code=abc", "wrong_state"],
    ["an empty state", "code=abc&state=", "wrong_state"],
    ["a longer state", `code=abc&state=${state}x`, "wrong_state"],
    ["no code", `state=${state}`, "malformed_answer"],
    ["an empty code", `code=&state=${state}`, "malformed_answer"],
    ["two codes", `code=abc&code=def&state=${state}`, "malformed_answer"],
    ["two states", `code=abc&state=${state}&state=${state}`, "malformed_answer"],
    ["two issuers", `code=abc&state=${state}&iss=${issuer}&iss=${issuer}`, "malformed_answer"],
    ["an error twice", `error=access_denied&error=x&state=${state}`, "malformed_answer"],
    ["a token", `code=abc&access_token=t&state=${state}`, "malformed_answer"],
    ["an id token", `code=abc&id_token=t&state=${state}`, "malformed_answer"],
    ["a signed response", `code=abc&response=t&state=${state}`, "malformed_answer"],
    ["another issuer", `code=abc&state=${state}&iss=https://evil.example`, "wrong_issuer"],
    ["the issuer with a slash", `code=abc&state=${state}&iss=${issuer}/`, "wrong_issuer"],
    ["the issuer in capitals", `code=abc&state=${state}&iss=https://ID.example.com`, "wrong_issuer"],
    ["an empty issuer", `code=abc&state=${state}&iss=`, "wrong_issuer"],
  ])("with %s is refused", (_name, query, code) => {
    expect(judge(query)).toMatchObject({ kind: "refused", reason: { code } })
  })

  verifies(
    "provider.issuer-is-compared",
    "without iss is refused if the provider promised one, even for an error",
    () => {
      expect(judge(`code=abc&state=${state}`, { namesIssuer: true })).toMatchObject({
        reason: { code: "missing_issuer" },
      })
      expect(judge(`error=access_denied&state=${state}`, { namesIssuer: true })).toMatchObject({
        reason: { code: "missing_issuer" },
      })
    },
  )

  it("with an iss that cannot be compared is refused", () => {
    expect(
      judgeAnswer(
        { parameters: new URLSearchParams(`code=a&state=${state}&iss=${issuer}`), state },
        { namesIssuer: false },
      ),
    ).toMatchObject({
      reason: { code: "wrong_issuer" },
    })
  })

  it.each<[string, boolean]>([
    [`https://login.microsoftonline.com/${tenant}/v2.0`, true],
    ["https://login.microsoftonline.com/{tenantid}/v2.0", false],
    ["https://login.microsoftonline.com/evil/v2.0", false],
    [`https://login.microsoftonline.com.evil.example/${tenant}/v2.0`, false],
    [`https://login.microsoftonline.com/${tenant}/v2.0/`, false],
    ["https://login.microsoftonline.com//v2.0", false],
    ["", false],
  ])("with the issuer %s is from a tenant of Microsoft: %s", (iss, fits) => {
    const judged = judge(`code=a&state=${state}&iss=${encodeURIComponent(iss)}`, { from: microsoft })
    expect(judged.kind).toBe(fits ? "code" : "refused")
  })

  it.each([
    ["access_denied", "access_denied"],
    ["invalid_scope", "provider_invalid_scope"],
    ["server_error", "provider_server_error"],
    ["temporarily_unavailable", "provider_temporarily_unavailable"],
    ["login_required", "provider_login_required"],
    ["consent_required", "provider_consent_required"],
    ["invalid_target", "provider_invalid_target"],
    ["<script>alert(1)</script>", "provider_error"],
    ["__proto__", "provider_error"],
    ["constructor", "provider_error"],
    ["", "provider_error"],
  ])("with the error %s has the outcome %s, and no text of the provider", (error, code) => {
    const query = new URLSearchParams({ error, error_description: "<b>words</b>", error_uri: "https://words", state })
    const judged = judge(String(query))
    expect(judged).toMatchObject({ kind: "refused", reason: { code } })
    expect(JSON.stringify(judged)).not.toMatch(/words|script/)
  })
})
