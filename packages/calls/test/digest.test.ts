// Digests: short text that is equal for equal values.

import { expect, it } from "vitest"
import { digestOf } from "../src/digest.ts"

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)

it("a digest is the same for equal values, whatever the order of their members", () => {
  expect(digestOf({ a: [1], b: undefined, c: "x" })).toBe(digestOf({ c: "x", a: [1] }))
  expect(digestOf({ a: [1] })).not.toBe(digestOf({ a: 1 }))
})

it.each([101, 5_000, 100_000])("a digest of a value with %i levels is refused with a readable error", (depth) => {
  expect(() => digestOf(nested(depth))).toThrow("is nested more than 100 levels deep")
  expect(digestOf(nested(100))).toMatch(/^[\w-]{43}$/)
})
