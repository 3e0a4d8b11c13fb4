// Local mode: the first browser that opens a link has it, and no other.

import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createLocalIdentity } from "../../src/identity/local.ts"
import { createMemoryStorage } from "../../src/stores/memory.ts"
import { createTestClock } from "../../src/testing/clock.ts"
import { verifies } from "../verifies.ts"
import { dump } from "./setup.ts"

const day = 24 * 3_600_000
const id = "7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f"

function setUp() {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  const secret = randomBytes(32)
  const start = (more = {}) => createLocalIdentity({ storage, user: "sam", secret, runtime: clock, ...more })
  return { storage, clock, start, local: start() }
}

describe("a link in local mode", () => {
  it("is claimed by the first browser, which finds it its own from then on", async () => {
    const { local } = setUp()
    const first = await local.claim(id, undefined, { agent: "Firefox/140.0 (Macintosh)" })
    if (first.kind !== "claimed") throw new Error("not claimed")
    expect(first.session).toMatchObject({ principal: local.principal, claim: id, agent: "Firefox on macOS" })
    expect(local.principal).toEqual({ tenant: "local", issuer: "local", subject: "sam" })
    const again = await local.claim(id, first.token)
    expect(again).toEqual({ kind: "yours", session: first.session, code: first.code })
    expect(await local.session(first.token)).toEqual(first.session)
  })

  it("is refused to a second browser, whatever its cookie says", async () => {
    const { local } = setUp()
    const first = await local.claim(id, undefined)
    if (first.kind !== "claimed") throw new Error("not claimed")
    const another = await local.claim("another-question", undefined)
    if (another.kind !== "claimed") throw new Error("not claimed")
    const [named] = first.token.split(".")
    for (const cookie of [
      undefined,
      "",
      "x",
      `${named}.`,
      `${named}.${"x".repeat(43)}`,
      another.token,
      first.session.id,
    ])
      expect(await local.claim(id, cookie)).toEqual({ kind: "taken" })
  })

  verifies("identity.local", "is claimed by exactly one of 20 browsers at once", async () => {
    const { local } = setUp()
    const claims = await Promise.all(Array.from({ length: 20 }, () => local.claim(id, undefined)))
    expect(claims.filter(({ kind }) => kind === "claimed")).toHaveLength(1)
    expect(claims.filter(({ kind }) => kind === "taken")).toHaveLength(19)
  })

  it("stays claimed when the process starts again, also with another secret", async () => {
    const { local, start } = setUp()
    const first = await local.claim(id, undefined)
    if (first.kind !== "claimed") throw new Error("not claimed")
    const restarted = start({ secret: randomBytes(32) })
    expect((await restarted.claim(id, undefined)).kind).toBe("taken")
    expect((await restarted.claim(id, first.token)).kind).toBe("yours")
  })

  it("leaves no token in the database", async () => {
    const { local, storage } = setUp()
    const first = await local.claim(id, undefined)
    if (first.kind !== "claimed") throw new Error("not claimed")
    const [, secret = ""] = first.token.split(".")
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await dump(storage)).not.toContain(secret)
  })

  it("is let go after the life of the longest question", async () => {
    const { local, clock } = setUp()
    const first = await local.claim(id, undefined)
    if (first.kind !== "claimed") throw new Error("not claimed")
    await clock.advance(7 * day)
    expect(await local.session(first.token)).toBeUndefined()
    const claims = await Promise.all(Array.from({ length: 20 }, () => local.claim(id, first.token)))
    expect(claims.filter(({ kind }) => kind === "claimed")).toHaveLength(1)
  })

  it("leaves nothing behind once it was swept away", async () => {
    const { local, clock, storage } = setUp()
    await local.claim(id, undefined)
    expect(await local.sweep()).toBe(0)
    await clock.advance(7 * day)
    expect(await local.sweep()).toBe(1)
    expect(await dump(storage)).toBe("[[],[],[]]")
  })

  it.each([undefined, "", ".", "x", "%%%.%%%"])("knows no session for the cookie %j", async (cookie) => {
    const { local } = setUp()
    expect(await local.session(cookie)).toBeUndefined()
  })
})

describe("the code", () => {
  it("is the same in both places, and another for every question and secret", () => {
    const { local, start } = setUp()
    expect(start().codeOf(id)).toBe(local.codeOf(id))
    expect(local.codeOf("another")).not.toBe(local.codeOf(id))
    expect(start({ secret: randomBytes(32) }).codeOf(id)).not.toBe(local.codeOf(id))
  })

  it("has no letters that are taken for one another", () => {
    const { local } = setUp()
    for (let question = 0; question < 500; question++)
      expect(local.codeOf(String(question))).toMatch(/^[AC-HJKMNP-RTWXY34679]{3}-[AC-HJKMNP-RTWXY34679]{3}$/)
  })

  it("needs a secret that cannot be guessed", () => {
    const { start } = setUp()
    expect(() => start({ secret: new Uint8Array(31) })).toThrow("32 random bytes")
  })
})
