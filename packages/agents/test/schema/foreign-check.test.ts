// Arguments are checked against foreign schemas within limits of time and memory, without their regular expressions.

import { Worker } from "node:worker_threads"
import { describe, expect, it, onTestFinished } from "vitest"
import { checkLimits, createForeignCheck } from "../../src/schema/foreign-check.ts"
import { withoutPatterns } from "../../src/schema/without-patterns.ts"

const tooCostly = (words: string) => ({ kind: "tooCostly", words })

/** A schema of a few lines that takes more memory than any machine has: each level has the one below it twice. */
function doubled(levels: number) {
  const definitions = Array.from({ length: levels }, (_, level) => {
    const below = level === 0 ? { type: "string" } : { $ref: `#/$defs/a${level - 1}` }
    return [`a${level}`, { type: "object", properties: { b: below, c: below }, allOf: [below, below] }]
  })
  return { type: "object", $defs: Object.fromEntries(definitions), $ref: `#/$defs/a${levels - 1}` }
}

describe("arguments of a foreign tool", () => {
  it("are checked in words", async () => {
    const check = createForeignCheck()
    const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] }
    expect(await check(schema, { a: 1 })).toEqual({ kind: "checked", problem: undefined })
    expect(await check(schema, {})).toEqual({ kind: "checked", problem: "data must have required property 'a'" })
    expect(await check({ type: "no such type" }, {})).toEqual({ kind: "unusable" })
  })

  it("are checked in no time when a pattern would take forever", async () => {
    const check = createForeignCheck()
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } }
    expect(await check(schema, { a: `${"a".repeat(50)}!` })).toEqual({ kind: "checked", problem: undefined })
    const names = { type: "object", patternProperties: { "^(a+)+$": { type: "number" } }, additionalProperties: false }
    expect(await check(names, { [`${"a".repeat(50)}!`]: 1 })).toEqual({ kind: "checked", problem: undefined })
  })

  it("are not checked by a schema that takes too long or too much memory, and others still are", async () => {
    const check = createForeignCheck({ ...checkLimits, deadlineMs: 3_000 })
    const slow = { type: "object", properties: { a: { type: "array", uniqueItems: true } } }
    const items = Array.from({ length: 60_000 }, (_, at) => ({ at: [at] }))
    expect(await check(slow, { a: items })).toEqual(tooCostly("longer than 3 s"))
    expect(await check(slow, { a: [] }), "it is not tried again").toEqual(tooCostly("longer than 3 s"))
    const huge = await check(doubled(30), {})
    expect([tooCostly("longer than 3 s"), tooCostly("more than 64 MB of memory")]).toContainEqual(huge)
    expect(await check({ type: "object" }, {})).toEqual({ kind: "checked", problem: undefined })
  })

  it("end no process when their thread runs out of memory just as it is ended", async () => {
    const { terminate } = Worker.prototype
    onTestFinished(() => {
      Worker.prototype.terminate = terminate
    })
    Worker.prototype.terminate = function (this: Worker) {
      this.emit("error", new Error("JS heap out of memory"))
      return terminate.call(this)
    }
    const check = createForeignCheck({ ...checkLimits, deadlineMs: 100 })
    const slow = { type: "object", properties: { a: { type: "array", uniqueItems: true } } }
    const items = Array.from({ length: 60_000 }, (_, at) => ({ at: [at] }))
    expect(await check(slow, { a: items })).toEqual(tooCostly("longer than 0.1 s"))
  })
})

describe("a schema without patterns", () => {
  it("keeps everything else, names and values that look like keywords included", () => {
    const schema = {
      type: "object",
      properties: {
        pattern: { type: "string", pattern: "a+", maxLength: 3 },
        patternProperties: { const: { pattern: "a" }, default: { pattern: "b" } },
      },
      items: [{ pattern: "a" }],
      $defs: { a: { anyOf: [{ pattern: "a" }, true] } },
    }
    expect(withoutPatterns(schema)).toEqual({
      type: "object",
      properties: {
        pattern: { type: "string", maxLength: 3 },
        patternProperties: { const: { pattern: "a" }, default: { pattern: "b" } },
      },
      items: [{}],
      $defs: { a: { anyOf: [{}, true] } },
    })
  })

  it("accepts properties that a pattern may have allowed", () => {
    const schema = { patternProperties: { a: {} }, additionalProperties: false, unevaluatedProperties: false }
    expect(withoutPatterns(schema)).toEqual({})
    expect(withoutPatterns({ additionalProperties: false })).toEqual({ additionalProperties: false })
  })
})
