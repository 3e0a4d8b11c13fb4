// Tokens that their issuer introspects: which answers count, for how long, and what happens when there is no usable
// answer.

import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { refusals, type TokenRefusal } from "../../../src/identity/resource/refusals.ts"
import type { TestIssuer } from "./setup.ts"
import {
  byIntrospection,
  byJwt,
  claimsOf,
  createWorld,
  noted,
  other,
  paths,
  requestWith,
  start,
  startIssuer,
} from "./setup.ts"

const token = noted("opaque-token-of-alice-0123456789")
const seconds = start / 1_000
let corp: TestIssuer
beforeEach(async () => {
  corp = await startIssuer()
  corp.active.set(token, { ...claimsOf(corp.issuer), token_type: "Bearer" })
})
afterEach(() => corp.close())

const say = (claims: Readonly<Record<string, unknown>>): void =>
  void corp.active.set(token, { ...claimsOf(corp.issuer), ...claims })

describe("an issuer that introspects tokens", () => {
  verifies("caller.introspection", "says who calls; its own name need not be in the answer", async () => {
    say({ iss: undefined })
    const caller = await createWorld([byIntrospection(corp)]).call(token)
    expect(caller).toEqual({
      principal: { tenant: "acme", issuer: corp.issuer, subject: "alice" },
      clientId: "editor",
      scopes: ["notes.read"],
      expiresAt: seconds + 3_600,
    })
  })

  verifies("caller.introspection", "is asked once for many concurrent calls, and again after ten seconds", async () => {
    const { outcomeOf, clock } = createWorld([byIntrospection(corp)])
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => outcomeOf(token))))).toEqual(new Set(["ok"]))
    expect(corp.asked).toEqual([paths.oauth, paths.introspection])
    clock.set(start + 9_999)
    await outcomeOf(token)
    expect(corp.count(paths.introspection)).toBe(1)
    clock.set(start + 10_000)
    await outcomeOf(token)
    expect(corp.count(paths.introspection)).toBe(2)
  })

  verifies("caller.introspection", "ends the use of a revoked token within ten seconds", async () => {
    const { outcomeOf, clock } = createWorld([byIntrospection(corp)])
    expect(await outcomeOf(token)).toBe("ok")
    corp.active.delete(token)
    clock.set(start + 10_000)
    expect(await outcomeOf(token)).toBe(`401 invalid_token: ${refusals.inactive}`)
  })

  verifies("caller.introspection", "is asked every time when its answers are not cached", async () => {
    const { outcomeOf } = createWorld([byIntrospection(corp, 0)])
    expect(await outcomeOf(token)).toBe("ok")
    corp.active.delete(token)
    expect(await outcomeOf(token)).toBe(`401 invalid_token: ${refusals.inactive}`)
  })

  verifies("caller.introspection", "is never believed beyond the expiry that it named", async () => {
    say({ exp: seconds + 2 })
    const { outcomeOf, clock } = createWorld([{ ...byIntrospection(corp), clockToleranceSeconds: 0 }])
    expect(await outcomeOf(token)).toBe("ok")
    clock.set(start + 2_000)
    expect(await outcomeOf(token)).toBe(`401 invalid_token: ${refusals.expired}`)
    expect(corp.count(paths.introspection)).toBe(1)
  })

  const rows: readonly (readonly [string, Readonly<Record<string, unknown>>, TokenRefusal])[] = [
    ["for another server", { aud: other }, "audience"],
    ["without an audience", { aud: undefined }, "audience"],
    ["of another issuer", { iss: "https://evil.example" }, "unknown_issuer"],
    ["without an end", { exp: undefined }, "lifetime"],
    ["with an end that is text", { exp: "9999999999" }, "lifetime"],
    ["that has ended, although it is called active", { exp: seconds - 31 }, "expired"],
    ["that has not begun", { nbf: seconds + 60 }, "not_yet_valid"],
    ["that is bound to a key", { cnf: { jkt: "t" } }, "bound"],
    ["that is a refresh token by its type", { token_type: "refresh_token" }, "not_access"],
    ["that is a refresh token by its use", { token_use: "refresh_token" }, "not_access"],
    ["that is bound to a key by its type", { token_type: "DPoP" }, "not_access"],
    ["of no client", { client_id: undefined }, "no_client"],
    ["of no person", { sub: undefined }, "no_person"],
  ]
  for (const [title, claims, refusal] of rows)
    verifies("caller.introspection", `does not make us accept a token ${title}`, async () => {
      say(claims)
      expect(await createWorld([byIntrospection(corp)]).outcomeOf(token)).toBe(
        `401 invalid_token: ${refusals[refusal]}`,
      )
    })

  verifies("caller.introspection", "is not asked about tokens of other issuers", async () => {
    const partner = await startIssuer()
    const { outcomeOf } = createWorld([byIntrospection(corp), byJwt(partner)])
    expect(await outcomeOf(await partner.sign())).toBe("ok")
    expect(await outcomeOf(await corp.sign({ iss: "https://evil.example" }))).toContain(refusals.unknown_issuer)
    expect(corp.asked).toEqual([])
    await partner.close()
  })

  verifies("caller.introspection", "is asked about signed tokens as well, if they are its own", async () => {
    const signed = await corp.sign()
    const { outcomeOf } = createWorld([byIntrospection(corp)])
    expect(await outcomeOf(signed)).toBe(`401 invalid_token: ${refusals.inactive}`)
    corp.active.set(signed, claimsOf(corp.issuer))
    expect(await createWorld([byIntrospection(corp)]).outcomeOf(signed)).toBe("ok")
  })
})

describe("an unusable answer", () => {
  verifies("caller.unavailable-is-no-refusal", "becomes a 503 with an explanation, and is not cached", async () => {
    corp.broken.set(paths.introspection, 500)
    const { outcomeOf, reports } = createWorld([byIntrospection(corp)])
    expect(await outcomeOf(token)).toMatch(/^503 temporarily_unavailable: .*neither accepted nor refused/)
    expect(reports[0]).toMatch(
      /^checking a token of http:.*: Tokens of http:.* cannot be checked: introspection gave no answer/,
    )
    corp.broken.clear()
    expect(await outcomeOf(token)).toBe("ok")
  })

  it("is the result when our own secret is wrong", async () => {
    corp.broken.set(paths.introspection, 401)
    const client = { id: "us", secret: noted("a-wrong-secret-of-the-tests") }
    const { outcomeOf } = createWorld([{ ...byIntrospection(corp), verify: { by: "introspection", client } }])
    expect(await outcomeOf(token)).toMatch(/^503 /)
  })

  it.each(["not json", "{}", '{"active":"true"}', "[]", "null"])("may be a body like %s", async (body) => {
    const verify = { ...byIntrospection(corp).verify, endpoint: `${corp.issuer}${paths.introspection}` }
    const headers = { "content-type": "application/json" }
    const { outcomeOf } = createWorld([{ ...byIntrospection(corp), verify }], {
      fetch: async () => new Response(body, { headers }),
    })
    expect(await outcomeOf(token)).toMatch(/^503 /)
  })

  it("may be a redirect, which would send the token elsewhere", async () => {
    const evil = await startIssuer()
    evil.active.set(token, claimsOf(corp.issuer))
    const verify = { ...byIntrospection(corp).verify, endpoint: `${corp.issuer}${paths.introspection}` }
    const location = `${evil.issuer}${paths.introspection}`
    const redirects: unknown[] = []
    const { server } = createWorld([{ ...byIntrospection(corp), verify }], {
      fetch: async (_input, init) => {
        redirects.push(init?.redirect)
        return new Response(null, { status: 307, headers: { location } })
      },
    })
    expect(await server.authenticate(requestWith(token))).toMatchObject({ status: 503 })
    expect(redirects).toEqual(["manual"])
    expect(evil.asked).toEqual([])
    await evil.close()
  })
})
