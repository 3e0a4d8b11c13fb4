// What oidc-provider keeps in our store: hashed, sealed, used once, and removed together.

import { createMemoryStorage } from "@holdpoint/hub"
import { createSealer, rewrapAll, withNewKey } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createAdapter } from "../../../src/identity/authorization/adapter.ts"
import { createArtifactStore } from "../../../src/identity/authorization/artifact-store.ts"
import { cookieName, cookieValue, isSameBrowser } from "../../../src/identity/authorization/browser.ts"
import { fromAccountId, toAccountId, toPrincipal } from "../../../src/identity/authorization/principal.ts"
import { artifactKind } from "../../../src/identity/authorization/records.ts"
import { alice } from "./setup.ts"

const open = () => {
  const storage = createMemoryStorage()
  const runtime = createTestClock()
  let ring = withNewKey()
  const sealer = createSealer(() => ring)
  const artifacts = createArtifactStore({ storage, sealer, runtime })
  const adapterOf = createAdapter({ artifacts, runtime, registrationMs: 60_000, isTooOften: () => false })
  const changeKeys = async () => {
    ring = withNewKey(ring)
    await rewrapAll(storage, sealer)
  }
  return { storage, runtime, adapter: adapterOf, changeKeys }
}

describe("a stored artifact", () => {
  it("can be neither found nor read with only the database", async () => {
    const { storage, adapter } = open()
    await adapter("RefreshToken").upsert("a-refresh-token", { grantId: "a-grant", accountId: "acme|alice" }, 60)
    const all = JSON.stringify(await storage.records(artifactKind).list({ tenant: "authorization", limit: 10 }))
    for (const text of ["a-refresh-token", "a-grant", "alice"]) expect(all).not.toContain(text)
    expect(await adapter("RefreshToken").find("a-refresh-token")).toMatchObject({ grantId: "a-grant" })
    expect(await adapter("AuthorizationCode").find("a-refresh-token")).toBeUndefined()
  })

  it("expires when its lifetime ends, and a later write extends the lifetime", async () => {
    const { runtime, adapter } = open()
    const sessions = adapter("Session")
    await sessions.upsert("s", { uid: "u" }, 60)
    await sessions.upsert("s", { uid: "u", accountId: "x" }, 120)
    await runtime.advance(119_000)
    expect(await sessions.find("s")).toMatchObject({ accountId: "x" })
    expect(await sessions.findByUid("u")).toMatchObject({ accountId: "x" })
    await runtime.advance(1_000)
    expect([await sessions.find("s"), await sessions.findByUid("u")]).toEqual([undefined, undefined])
  })

  verifies(
    "authority.used-once",
    "is used once, even during a key rotation; a second use removes its whole grant",
    async () => {
      const { adapter, changeKeys } = open()
      const [tokens, codes, grants] = [adapter("RefreshToken"), adapter("AuthorizationCode"), adapter("Grant")]
      await grants.upsert("g", { accountId: "x" }, 600)
      await codes.upsert("c", { grantId: "g" }, 60)
      await tokens.upsert("t", { grantId: "g" }, 600)
      await tokens.upsert("of-another-grant", { grantId: "h" }, 600)
      await Promise.all([tokens.consume("t"), changeKeys()])
      expect(await tokens.find("t")).toMatchObject({ consumed: expect.any(Number) })
      await expect(tokens.consume("t")).rejects.toMatchObject({ error: "invalid_grant" })
      expect(await Promise.all([tokens.find("t"), codes.find("c"), grants.find("g")])).toEqual(Array(3).fill(undefined))
      expect(await tokens.find("of-another-grant")).toBeDefined()
    },
  )

  it("that was consumed stays consumed when it is written again", async () => {
    const { adapter } = open()
    const codes = adapter("AuthorizationCode")
    await codes.upsert("c", { grantId: "g" }, 60)
    await codes.consume("c")
    await codes.upsert("c", { grantId: "g" }, 60)
    expect(await codes.find("c")).toMatchObject({ consumed: expect.any(Number) })
  })

  it("is revoked by its grant, one kind at a time", async () => {
    const { adapter } = open()
    await adapter("RefreshToken").upsert("t", { grantId: "g" }, 600)
    await adapter("AuthorizationCode").upsert("c", { grantId: "g" }, 600)
    await adapter("RefreshToken").revokeByGrantId("g")
    expect(await adapter("RefreshToken").find("t")).toBeUndefined()
    expect(await adapter("AuthorizationCode").find("c")).toBeDefined()
  })
})

describe("the cookie of a browser", () => {
  it("differs for each request and each secret, and cannot be derived from the address", () => {
    const name = cookieName("https://hub.example", "request-1")
    const value = cookieValue("secret-1", "request-1")
    expect(isSameBrowser(`a=b; ${name}=${value}`, name, value)).toBe(true)
    expect(name).not.toBe(cookieName("https://hub.example", "request-2"))
    for (const other of [cookieValue("secret-2", "request-1"), cookieValue("secret-1", "request-2")])
      expect(isSameBrowser(`${name}=${other}`, name, value)).toBe(false)
    expect(isSameBrowser(null, name, value)).toBe(false)
  })
})

describe("a person in a token", () => {
  it.each([
    alice,
    { tenant: "a|b", issuer: "https://a/?x=1|2", subject: "é 100% |" },
    { tenant: "a", issuer: "b|c", subject: "d" },
    { tenant: "a|b", issuer: "c", subject: "d" },
  ])("%o comes back as the same person", (person) => {
    expect(fromAccountId(toAccountId(person))).toEqual(person)
    expect(toPrincipal({ principal: person })).toEqual(person)
  })

  it.each(["", "a|b", "a|b|c|d", "%|b|c", "||", "a||c"])("%s is not a person", (text) => {
    expect(fromAccountId(text)).toBeUndefined()
  })

  it.each([{}, { principal: null }, { principal: "alice" }, { principal: { tenant: "a", issuer: "b" } }])(
    "%o does not name a person",
    (claims) => {
      expect(toPrincipal(claims)).toBeUndefined()
    },
  )
})
