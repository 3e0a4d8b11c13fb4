// Tokens of a real authorization server (oidc-provider): signed ones and introspected ones.

import { createTestClock } from "@holdpoint/testing"
import { type Oidc, oidcClient } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"
import type { TokenIssuer } from "../../../src/identity/resource/issuer.ts"
import { refusals } from "../../../src/identity/resource/refusals.ts"
import { getTokens, revoke, startAuthorizationServer } from "./person.ts"
import { createWorld as createBareWorld, other, resource, type World } from "./setup.ts"

const opaque = "https://opaque.example.com/mcp"
let oidc: Oidc
beforeAll(async () => {
  oidc = await startAuthorizationServer({ [resource]: "jwt", [other]: "jwt", [opaque]: "opaque" })
})
afterAll(() => oidc.close())

const signed = (): TokenIssuer => ({ issuer: oidc.issuer, tenant: "acme", verify: { by: "jwt" } })
const asked = (): TokenIssuer => ({
  issuer: oidc.issuer,
  tenant: "acme",
  verify: { by: "introspection", client: oidcClient },
})

function createWorld(
  issuer: TokenIssuer,
  at = resource,
): World & { readonly time: ReturnType<typeof createTestClock> } {
  const time = createTestClock(Date.now())
  return { ...createBareWorld([issuer], { resource: at, runtime: time, requires: ["notes.read"] }), time }
}

describe("a signed token of a real authorization server", () => {
  verifies("caller.token-for-this-server", "says who calls", async () => {
    const { access_token } = await getTokens(oidc, resource)
    const caller = await createWorld(signed()).call(access_token)
    expect(caller).toMatchObject({
      principal: { tenant: "acme", issuer: oidc.issuer, subject: "alice" },
      clientId: oidcClient.id,
      scopes: ["notes.read"],
    })
  })

  verifies("caller.token-for-this-server", "is refused when it was issued for another server", async () => {
    const { access_token } = await getTokens(oidc, other)
    expect(await createWorld(signed()).outcomeOf(access_token)).toBe(`401 invalid_token: ${refusals.audience}`)
  })

  verifies("caller.token-for-this-server", "is refused when it is an ID token or a refresh token", async () => {
    const { id_token = "", refresh_token = "" } = await getTokens(oidc, resource)
    expect(await createWorld(signed()).outcomeOf(id_token)).toBe(`401 invalid_token: ${refusals.not_access}`)
    const lenient = { ...signed(), audience: oidcClient.id, verify: { by: "jwt", typ: "JWT" } } as const
    expect(await createWorld(lenient).outcomeOf(id_token)).toBe(`401 invalid_token: ${refusals.not_access}`)
    expect(await createWorld(signed()).outcomeOf(refresh_token)).toBe(`401 invalid_token: ${refusals.unknown_issuer}`)
  })

  verifies("caller.step-up", "gets insufficient_scope when it lacks a scope", async () => {
    const { access_token } = await getTokens(oidc, resource, "notes.write")
    expect(await createWorld(signed()).outcomeOf(access_token)).toMatch(/^403 insufficient_scope: /)
  })

  verifies("caller.introspection", "is refused when the server expects tokens for introspection", async () => {
    const { access_token } = await getTokens(oidc, resource)
    // It answers 400 unsupported_token_type, which asking again would not change.
    expect(await createWorld(asked()).outcomeOf(access_token)).toBe(`401 invalid_token: ${refusals.inactive}`)
  })
})

describe("an opaque token of a real authorization server", () => {
  verifies("caller.introspection", "says who calls, until it is revoked", async () => {
    const { access_token } = await getTokens(oidc, opaque)
    const { call, outcomeOf, time } = createWorld(asked(), opaque)
    expect(await call(access_token)).toMatchObject({
      principal: { tenant: "acme", issuer: oidc.issuer, subject: "alice" },
      clientId: oidcClient.id,
      scopes: ["notes.read"],
    })
    await revoke(oidc, access_token)
    time.set(time.now() + 10_000)
    expect(await outcomeOf(access_token)).toBe(`401 invalid_token: ${refusals.inactive}`)
  })

  verifies("caller.introspection", "is refused when it was issued for another server", async () => {
    const { access_token } = await getTokens(oidc, opaque)
    expect(await createWorld(asked()).outcomeOf(access_token)).toBe(`401 invalid_token: ${refusals.audience}`)
  })

  verifies("caller.introspection", "is refused when it is a refresh token, although that is active", async () => {
    const { refresh_token = "" } = await getTokens(oidc, opaque)
    expect(refresh_token).not.toBe("")
    expect(await createWorld(asked(), opaque).outcomeOf(refresh_token)).toMatch(/^401 invalid_token: /)
  })
})
