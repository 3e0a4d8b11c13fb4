// Tokens: sealed texts that pass through other parties and are trusted when they come back.

import { randomBytes } from "node:crypto"
import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { KeyRing } from "../../src/sealing/key-ring.ts"
import { withNewKey, withoutKeys } from "../../src/sealing/key-ring.ts"
import { createTokens } from "../../src/sealing/tokens.ts"

const anyText = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed())
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const text = JSON.stringify({ call: "call-of-the-first-round", round: 2, expiresAt: 1_767_225_600_000 })
const ring = withNewKey()
const tokens = createTokens(ring)
const token = tokens.seal("call", text)

/** A token without its key's id, and that id. */
function partsOf(sealed: string): readonly [keyId: string, rest: string] {
  const end = sealed.indexOf("~")
  return [sealed.slice(0, end), sealed.slice(end + 1)]
}

describe("a token", () => {
  it("returns what was sealed, for any text and any purpose", () => {
    fc.assert(
      fc.property(anyText, anyText, (purpose, plain) => {
        expect(tokens.open(purpose, tokens.seal(purpose, plain))).toBe(plain)
      }),
    )
  })

  it("needs no escaping in headers, addresses and JSON", () => {
    expect(token).toMatch(/^[A-Za-z0-9._~-]+$/)
    expect(encodeURIComponent(token)).toBe(token)
  })

  it("is different each time, and reveals nothing of its text except the length", () => {
    const again = tokens.seal("call", text)
    expect(again).not.toBe(token)
    expect(again).toHaveLength(token.length)
    // Only parts too long to stand in random letters by chance: two letters do, once in thirty tokens.
    for (const part of [text, "call-of-the-first-round", Buffer.from(text).toString("base64url").slice(0, 12)]) {
      expect(again.includes(part)).toBe(false)
    }
  })

  verifies("seal.opens-in-its-place", "does not open when any character is changed, missing or added", () => {
    expect(tokens.open("call", token)).toBe(text)
    const opened: number[] = []
    for (const at of token.split("").keys()) {
      const [before, sign, after] = [token.slice(0, at), token.charAt(at), token.slice(at + 1)]
      const others = [letters[(letters.indexOf(sign) + 1) % letters.length], "~", ".", "=", " ", "\0", "é", ""]
      const altered = others.filter((other) => other !== sign).map((other) => `${before}${other}${after}`)
      const added = `${before}A${sign}${after}`
      if ([...altered, added].some((one) => tokens.open("call", one) !== undefined)) opened.push(at)
    }
    expect(opened, "places at which a change went unseen").toEqual([])
  })

  verifies("seal.opens-in-its-place", "does not open when any single bit is changed", () => {
    const [keyId, rest] = partsOf(token)
    const prefix = rest.slice(0, rest.indexOf(".") + 1)
    const bytes = Buffer.from(rest.slice(prefix.length), "base64url")
    const write = (changed: Buffer) => `${keyId}~${prefix}${changed.toString("base64url")}`
    expect(tokens.open("call", write(bytes))).toBe(text)
    for (const bit of Array.from({ length: bytes.length * 8 }).keys()) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(tokens.open("call", write(changed)), `bit ${bit}`).toBeUndefined()
    }
  })

  it.each([
    ["nothing", ""],
    ["only the separator of its parts", "~"],
    ["only the id of a key", ring.current],
    ["the id of a key and nothing after it", `${ring.current}~`],
    ["no id", `~${partsOf(token)[1]}`],
    ["no id and no separator", partsOf(token)[1]],
    ["its end cut off", token.slice(0, -4)],
    ["its start cut off", token.slice(4)],
    ["another token after it", `${token}${token}`],
    ["padding at its end", `${token}==`],
    ["a space before it", ` ${token}`],
    ["a space after it", `${token} `],
    ["a line break after it", `${token}\n`],
    ["a space inside", token.replace("~", "~ ")],
    ["another format", token.replace("~hp1.", "~hp2.")],
    ["no bytes", `${ring.current}~hp1.`],
    ["random bytes", `${ring.current}~hp1.${randomBytes(80).toString("base64url")}`],
    ["the name of an inherited member", `__proto__~${partsOf(token)[1]}`],
  ])("does not open with %s, and throws nothing", (_what, altered) => {
    expect(tokens.open("call", altered)).toBeUndefined()
  })

  verifies("seal.opens-in-its-place", "of one purpose never opens for another purpose", () => {
    fc.assert(
      fc.property(anyText, anyText, (purpose, other) => {
        fc.pre(purpose !== other)
        expect(tokens.open(other, tokens.seal(purpose, text))).toBeUndefined()
      }),
    )
    for (const near of ["", "Call", "call ", " call", "call\n", "call\0", "cal", "calls"]) {
      expect(tokens.open(near, token), JSON.stringify(near)).toBeUndefined()
    }
  })

  verifies("seal.opens-in-its-place", "does not open under the id of another key of the same ring", () => {
    const rotated = withNewKey(ring)
    const [, rest] = partsOf(token)
    expect(createTokens(rotated).open("call", `${rotated.current}~${rest}`)).toBeUndefined()
    const renamed = { current: "other", keys: new Map([["other", ring.keys.get(ring.current)!]]) }
    expect(createTokens(renamed).open("call", `other~${rest}`), "nor the same key by another name").toBeUndefined()
  })
})

describe("tokens and their ring", () => {
  verifies("seal.rotates-while-running", "open after a rotation, until the old key is dropped", () => {
    let held: KeyRing = ring
    const living = createTokens(() => held)
    const before = living.seal("call", text)
    held = withNewKey(held)
    expect(living.open("call", before)).toBe(text)
    const after = living.seal("call", text)
    expect([partsOf(before)[0], partsOf(after)[0]]).toEqual([ring.current, held.current])
    held = withoutKeys(held, [ring.current])
    expect(living.open("call", before), "although it was opened with that key before").toBeUndefined()
    expect(living.open("call", after)).toBe(text)
  })

  verifies("seal.old-format-opens", "open what was sealed in the first format", () => {
    const first: KeyRing = { current: "first", keys: new Map([["first", Uint8Array.from(Array(32).keys())]]) }
    const sealed = "first~hp1.07nB7SG77-HMa5ZURSH8Z3u8rSBObtIuoMe8Z1MdKKY_0etAcg"
    expect(createTokens(first).open("call", sealed)).toBe("as it was")
  })

  it("open in another process with the same keys, and in no process with other keys", () => {
    const same: KeyRing = { current: ring.current, keys: new Map([...ring.keys].map(([id, key]) => [id, key.slice()])) }
    expect(createTokens(same).open("call", token)).toBe(text)
    expect(createTokens(withNewKey()).open("call", token)).toBeUndefined()
  })

  it("use a new key immediately when it replaces one with the same id", () => {
    let held: KeyRing = { current: "k", keys: new Map([["k", randomBytes(32)]]) }
    const living = createTokens(() => held)
    const before = living.seal("call", text)
    held = { current: "k", keys: new Map([["k", randomBytes(32)]]) }
    expect(living.open("call", before)).toBeUndefined()
    expect(living.open("call", living.seal("call", text))).toBe(text)
  })

  it("cannot be sealed with a ring that lacks its current key, and the error contains no secret", () => {
    const lacking: KeyRing = { current: "gone", keys: ring.keys }
    const wrong = expect.objectContaining({ code: "wrong_key", message: expect.not.stringContaining(text) })
    expect(() => createTokens(lacking).seal("call", text)).toThrow(wrong)
    expect(createTokens(lacking).open("call", token), "opening goes on").toBe(text)
  })
})
