// The shape of JSON is judged before it is parsed, and text in strings does not count.

import { describe, expect, it } from "vitest"
import { exceededBy } from "../../src/core/json-shape.ts"

const limits = { levels: 3, values: 5 }

describe("the shape of a JSON text", () => {
  it.each([
    ["[[[1]]]", undefined],
    ["[[[[1]]]]", "levels"],
    ['{"a":{"b":{"c":[]}}}', "levels"],
    ["[],[],[]", "values"],
    ["[1,2,3,4]", undefined],
    ["[1,2,3,4,5]", "values"],
    ['["[[[[,,,,,,"]', undefined],
    ['["\\"[[[["]', undefined],
    ['["\\\\",[[[1]]]]', "levels"],
    ['"never ends [[[[', undefined],
    ["", undefined],
  ])("%s exceeds %s", (json, exceeded) => {
    expect(exceededBy(json, limits)).toBe(exceeded)
  })

  it.each([
    ["backslashes", `"${"\\".repeat(2_000_000)}`],
    ["quotation marks", '"'.repeat(2_000_000)],
    ["escaped quotation marks", `"${'\\"'.repeat(1_000_000)}`],
  ])("is read once, also with many %s", (_, json) => {
    const startedAt = performance.now()
    exceededBy(json, { levels: 100, values: 1e9 })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
