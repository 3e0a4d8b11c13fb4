// Key rings: parsed from text that people write, with errors that never repeat the text.

import { randomBytes } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { HoldpointError } from "../../src/core/error.ts"
import type { KeyRing } from "../../src/sealing/key-ring.ts"
import { parseKeyRing, serializeKeyRing, withNewKey, withoutKeys } from "../../src/sealing/key-ring.ts"

const [one, two] = [randomBytes(32), randomBytes(32)]
const text = (key: Buffer) => key.toString("base64url")
const idsOf = ({ keys }: KeyRing) => [...keys.keys()]

describe("a key ring", () => {
  it.each([
    ["lines", `a:${text(one)}\nb:${text(two)}\n`, "a"],
    ["commas", `a:${text(one)},b:${text(two)}`, "a"],
    ["ordinary base64", `a:${one.toString("base64")} , b:${two.toString("base64")}`, "a"],
    ["a mark for the current key", `a:${text(one)}\n*b:${text(two)}`, "b"],
    ["comments, empty lines and Windows", `# my keys, of 2026\r\n\r\n a : ${text(one)}\r\nb:${text(two)}\r\n`, "a"],
    ["a key before the content of a key file", `a:${text(one)},# The keys, of all\nb:${text(two)}\n`, "a"],
  ])("is read from %s", (_what, written, current) => {
    const ring = parseKeyRing(written, "keys")
    expect(ring.current).toBe(current)
    expect([...ring.keys]).toEqual([
      ["a", one],
      ["b", two],
    ])
  })

  it("accepts a single key, and always gives it the same id", () => {
    const ring = parseKeyRing(one.toString("base64"), "TOKEN_ENCRYPTION_KEY")
    expect(ring.keys.get(ring.current)).toEqual(one)
    expect(ring.current).toMatch(/^k[0-9a-f]{10}$/)
    expect(parseKeyRing(text(one), "elsewhere").current).toBe(ring.current)
    expect(parseKeyRing(text(two), "elsewhere").current).not.toBe(ring.current)
  })

  it("is read back as it was written, with any number of keys", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (count) => {
        let ring = withNewKey()
        for (let more = 1; more < count; more++) ring = withNewKey(ring)
        expect(parseKeyRing(serializeKeyRing(ring), "keys")).toEqual(ring)
      }),
      { numRuns: 10 },
    )
  })

  it("gets a new current key and keeps the old ones until they are removed", () => {
    const first = withNewKey()
    const second = withNewKey(first)
    expect(idsOf(second)).toEqual([second.current, first.current])
    expect(withoutKeys(second, [first.current, second.current])).toEqual({
      current: second.current,
      keys: new Map([[second.current, second.keys.get(second.current)]]),
    })
  })

  const short = randomBytes(31).toString("base64url")
  it.each([
    ["", "", "holds no key"],
    ["\n# nothing\n", "", "holds no key"],
    [short, "entry 1", "has 31 bytes; a key has 32"],
    [`a:${text(one)}AAAA`, "entry 1", "has 35 bytes; a key has 32"],
    [`a:${one.toString("hex")}`, "entry 1", "is written in hexadecimal"],
    ["a:p@ss w0rd!", "entry 1", "is not base64"],
    ["a:", "entry 1", "is not base64"],
    [`a:${text(one)},a:${text(two)}`, "entry 2", "has the same id as entry 1"],
    [`a:${text(one)},b:${text(one)}`, "entry 2", "holds the same key as entry 1"],
    [`*a:${text(one)},*b:${text(two)}`, "entry 2", "is the second one that is marked as current"],
    [`a b:${text(one)}`, "entry 1", "needs an id"],
    [`:${text(one)}`, "entry 1", "needs an id"],
    [`${text(two)}:${text(one)}`, "entry 1", "needs an id"],
    [`a:${"A".repeat(43)}`, "entry 1", "holds one byte 32 times"],
    [`${text(one)}:a`, "entry 1", "has 0 bytes"],
  ])("is refused as %j, with the place and the reason, and without its content", (written, path, words) => {
    const error = failureOf(() => parseKeyRing(written, "HOLDPOINT_KEYS"))
    expect(error.code).toBe("wrong_key")
    expect(error.message).toContain("HOLDPOINT_KEYS")
    expect(error.problems).toEqual([{ path, message: expect.stringContaining(words) }])
    const errorText = JSON.stringify([error.message, error.problems])
    for (const secret of [text(one), text(two), one.toString("hex"), short, "p@ss"])
      expect(errorText).not.toContain(secret)
  })

  it("names every problem at once", () => {
    const { problems } = failureOf(() => parseKeyRing(`${short},a:x!,b:${text(one)},b:${text(two)}`, "keys"))
    expect(problems.map(({ path }) => path)).toEqual(["entry 1", "entry 2", "entry 4"])
  })
})

function failureOf(work: () => unknown): HoldpointError {
  try {
    work()
  } catch (error) {
    return error as HoldpointError
  }
  throw new Error("It is not refused.")
}
