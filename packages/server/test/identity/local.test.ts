// Local mode: the person's browser by a key, or the first in which a link's button is pressed, and no other.

import { randomBytes } from "node:crypto"
import { createMemoryStorage } from "@holdpoint/hub"
import { createTestClock } from "@holdpoint/testing"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createLocalIdentity } from "../../src/identity/local.ts"
import { dump } from "./setup.ts"

const day = 24 * 3_600_000
const [first, second] = ["first".repeat(9), "second".repeat(8)]
const id = "7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f"

function setUp() {
  const storage = createMemoryStorage()
  const clock = createTestClock()
  const secret = randomBytes(32)
  const start = (more = {}) => createLocalIdentity({ storage, user: "sam", secret, runtime: clock, ...more })
  return { storage, clock, start, local: start() }
}

describe("a link in local mode", () => {
  it("is free until its button is pressed, and then belongs to that browser", async () => {
    const { local, storage } = setUp()
    for (const token of [undefined, first, second])
      expect(await local.access(id, token)).toMatchObject({ kind: "free", session: { principal: local.principal } })
    expect(await dump(storage)).toBe("[[],[],[]]")
    expect(await local.claim(id, first, { agent: "Firefox/140.0 (Macintosh)" })).toBe(true)
    expect(await local.access(id, first)).toMatchObject({
      kind: "theirs",
      session: {
        principal: { tenant: "local", issuer: "local", subject: "sam" },
        claim: id,
        agent: "Firefox on macOS",
      },
    })
    expect(await local.claim(id, first)).toBe(true)
  })

  it("is refused to a second browser, whatever its cookie says", async () => {
    const { local } = setUp()
    await local.claim(id, first)
    await local.claim("another-question", second)
    const standing = await local.access(id, first)
    const known = standing.kind === "theirs" ? standing.session.id : ""
    for (const cookie of [undefined, "", "x", `${first}x`, second, known, "home:", "home:x.y", `home:${id}.${first}`]) {
      expect(await local.access(id, cookie)).toEqual({ kind: "taken" })
      if (cookie !== undefined) expect(await local.claim(id, cookie)).toBe(false)
    }
  })

  verifies("identity.local", "is claimed by exactly one of 20 concurrent browsers", async () => {
    const { local } = setUp()
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => local.claim(id, `browser-${at}`)))
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it("stays claimed after a restart, even with another secret", async () => {
    const { local, start } = setUp()
    await local.claim(id, first)
    const restarted = start({ secret: randomBytes(32) })
    expect((await restarted.access(id, second)).kind).toBe("taken")
    expect((await restarted.access(id, first)).kind).toBe("theirs")
  })

  it("leaves no token in the database", async () => {
    const { local, storage } = setUp()
    await local.claim(id, first)
    const token = (await local.admit(local.keyOf("home"))) ?? ""
    const [, secret = ""] = token.split(".")
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await dump(storage)).not.toContain(secret)
    expect(await dump(storage)).not.toContain(first)
  })

  it("can be claimed by another browser after seven days, the longest life of a question", async () => {
    const { local, clock } = setUp()
    await local.claim(id, first)
    await clock.advance(7 * day)
    expect((await local.access(id, second)).kind).toBe("free")
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => local.claim(id, `browser-${at}`)))
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it("leaves nothing behind once it was swept away", async () => {
    const { local, clock, storage } = setUp()
    await local.claim(id, first)
    expect(await local.sweep()).toBe(0)
    await clock.advance(7 * day)
    expect(await local.sweep()).toBe(1)
    expect(await dump(storage)).toBe("[[],[],[]]")
  })
})

describe("the person's browser", () => {
  it("is the first browser with the key, for questions, inbox and account, even after a restart", async () => {
    const { local, start } = setUp()
    const key = local.keyOf("home")
    const tokens = await Promise.all(Array.from({ length: 20 }, () => local.admit(key)))
    const [token, ...others] = tokens.filter((one) => one !== undefined)
    expect(others).toEqual([])
    for (const one of [local, start({ secret: randomBytes(32) }), start({ show: async () => true })])
      for (const about of [undefined, id])
        expect(await one.access(about, token)).toMatchObject({
          kind: "theirs",
          session: { principal: local.principal },
        })
  })

  it.each(["", ".", "home", "home.", `home.${"x".repeat(43)}`, "home:x.y"])(
    "is not accepted with the key %j",
    async (key) => {
      const { local } = setUp()
      expect(await local.admit(key)).toBeUndefined()
    },
  )

  it("is accepted only once with each key, and never with a key of another secret", async () => {
    const { local, start } = setUp()
    expect(await local.admit(start({ secret: randomBytes(32) }).keyOf("home"))).toBeUndefined()
    for (const name of ["home", "another"]) {
      expect(await local.admit(local.keyOf(name))).toBeDefined()
      expect(await local.admit(local.keyOf(name))).toBeUndefined()
    }
  })

  it("is the only one with inbox and account: a browser that pressed a button has only that question", async () => {
    const { local } = setUp()
    await local.claim(id, first)
    for (const cookie of [undefined, "", first, "home:x.y"])
      expect(await local.access(undefined, cookie)).toEqual({ kind: "unknown" })
  })
})

describe("when an address can be shown to the person outside the asking program", () => {
  it("the link is not enough, whether or not its button was pressed before", async () => {
    const { local, start } = setUp()
    await local.claim(id, first)
    const guarded = start({ show: async () => true })
    for (const about of [id, "another"])
      for (const cookie of [undefined, first, second])
        expect(await guarded.access(about, cookie)).toEqual({ kind: "unknown" })
  })

  it("the address is shown once in a few seconds, however often a program asks", async () => {
    const { start, clock } = setUp()
    const addresses: string[] = []
    const { show } = start({ show: async (address: string) => addresses.push(address) > 0 })
    for (const address of ["a", "b", "c"]) expect(await show?.(address)).toBe(true)
    await clock.advance(3_000)
    expect(await show?.("d")).toBe(true)
    expect(addresses).toEqual(["a", "d"])
  })

  it("the link is enough after the address could not be shown, so the person is not locked out", async () => {
    const { start } = setUp()
    const guarded = start({ show: async () => false })
    expect(await guarded.show?.("http://127.0.0.1/")).toBe(false)
    expect(guarded.show).toBeUndefined()
    expect((await guarded.access(id, first)).kind).toBe("free")
  })
})

describe("the code", () => {
  it("is the same in both places, and differs for every question and secret", () => {
    const { local, start } = setUp()
    expect(start().codeOf(id)).toBe(local.codeOf(id))
    expect(local.codeOf("another")).not.toBe(local.codeOf(id))
    expect(start({ secret: randomBytes(32) }).codeOf(id)).not.toBe(local.codeOf(id))
  })

  it("has no letters that are easily confused", () => {
    const { local } = setUp()
    for (let question = 0; question < 500; question++)
      expect(local.codeOf(String(question))).toMatch(/^[AC-HJKMNP-RTWXY34679]{3}-[AC-HJKMNP-RTWXY34679]{3}$/)
  })

  it("needs a secret of at least 32 bytes", () => {
    const { start } = setUp()
    expect(() => start({ secret: new Uint8Array(31) })).toThrow("32 random bytes")
  })
})
