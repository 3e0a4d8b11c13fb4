// Digests: short text that is equal for equal values.

import { expect, it } from "vitest"
import { digestOf } from "../../src/asking/digest.ts"

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)

it("is the same for the same value, in whatever order its members were written", () => {
  expect(digestOf({ a: [1], b: undefined, c: "x" })).toBe(digestOf({ c: "x", a: [1] }))
  expect(digestOf({ a: [1] })).not.toBe(digestOf({ a: 1 }))
})

it.each([101, 5_000, 100_000])("is refused in words for a value of %i levels", (depth) => {
  expect(() => digestOf(nested(depth))).toThrow("is nested more than 100 levels deep")
  expect(digestOf(nested(100))).toMatch(/^[\w-]{43}$/)
})
