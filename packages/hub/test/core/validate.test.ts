// Which values are valid for each kind of field, and with which words others are refused.

import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import * as f from "../../src/core/form.ts"
import { validate } from "../../src/core/validate.ts"
import { anyAnswered, anyForm } from "./forms.ts"

const one = (field: f.Field) => f.form({ it: field })
const fits = (field: f.Field, value: unknown) => validate(one(field), { it: value }).ok
const problems = (form: f.Form, content: unknown) => {
  const judged = validate(form, content)
  return judged.ok ? [] : judged.problems
}

describe("validate", () => {
  it("returns the declared fields in declared order, in a new object", () => {
    const form = f.form({ b: f.yesNo(), a: f.choices(["x"]), c: f.text() }, { optional: ["c"] })
    const given = { a: ["x"] as const, b: true, c: undefined }
    const judged = validate(form, given)
    if (!judged.ok) throw new Error("refused")
    expect(JSON.stringify(judged.content)).toBe('{"b":true,"a":["x"]}')
    expect(judged.content.a).not.toBe(given.a)
    expectTypeOf(judged.content).toEqualTypeOf<{
      readonly b: boolean
      readonly a: readonly "x"[]
      readonly c?: string
    }>()
  })

  verifies(
    "answer.checked-against-form",
    "reports every violation at once, with the title of the field where it has one",
    () => {
      const form = f.form({ age: f.integer({ title: "Age" }), name: f.text(), mail: f.email({ minLength: 9 }) })
      expect(problems(form, { age: "5", agee: 5, mail: "x" })).toEqual([
        { path: "age", message: "Age must be a whole number." },
        { path: "name", message: "name is missing; please fill it in." },
        { path: "mail", message: "mail must have at least 9 characters." },
        { path: "mail", message: "mail must be an email address, such as name@example.com." },
        { path: "agee", message: "There is no field called “agee”; did you mean “age”?" },
      ])
    },
  )

  verifies("answer.not-coerced", "does not fill in defaults", () => {
    const form = f.form({ a: f.yesNo({ default: true }), b: f.text({ default: "x" }) }, { optional: ["b"] })
    expect(problems(form, {})).toEqual([{ path: "a", message: "a is missing; please fill it in." }])
    expect(validate(form, { a: false })).toEqual({ ok: true, content: { a: false } })
  })

  const lengths = f.text({ minLength: 2, maxLength: 3 })
  const range = f.number({ minimum: 0.5, maximum: 2 })
  const several = f.choices(["a", "b", "c"], { minItems: 1, maxItems: 2 })
  const legacy: f.Field = { type: "string", enum: ["a"], enumNames: ["The a"] }
  it.each<[string, f.Field, readonly unknown[], readonly unknown[]]>([
    ["text", f.text(), ["", "x", "Zoë\n👍"], [1, true, null, [], {}, "a\0b", "\ud800", "x\udc00y"]],
    ["a length in code points", lengths, ["👍👍", "abc", "👍👍👍"], ["a", "👍", "abcd"]],
    ["a number", f.number(), [0, -1.5, 1e300], ["5", Number.NaN, JSON.parse("1e400"), true, null, 5n]],
    ["a range", range, [0.5, 1, 2], [0.49, 2.01]],
    ["a whole number", f.integer(), [5, 5.0, -3, 2 ** 53 - 1], ["5", 5.5, 2 ** 53, Number.POSITIVE_INFINITY]],
    ["a boolean", f.yesNo(), [true, false], ["true", 1, 0, null]],
    ["a choice", f.choice(["a", "b"]), ["a", "b"], ["c", "A", 1, ["a"]]],
    ["a titled choice", f.choice({ a: "The a" }), ["a"], ["The a", "toString"]],
    ["a legacy choice", legacy, ["a"], ["The a"]],
    ["a multiple choice", several, [["a"], ["b", "a"]], [[], ["a", "b", "c"], ["a", "a"], ["d"], [1], "a", { 0: "a" }]],
    ["a titled multiple choice", f.choices({ a: "The a" }), [[], ["a"]], [["The a"], [["a"]]]],
    [
      "an email address",
      f.email(),
      ["a@b.co", "ann.lee+tag@mail.example.org", "o'neil@example.com", "jörg@müller.example"],
      [
        "",
        "a",
        "@b.co",
        "a@",
        "a@b",
        "a b@c.de",
        "a@b@c.de",
        "a..b@c.de",
        ".a@c.de",
        "a@-b.de",
        "a@b..de",
        "a@1.2.3.4",
        `${"a".repeat(65)}@c.de`,
        `a@${"b.".repeat(130)}de`,
        "a@b.de\n",
        "<a@b.de>",
      ],
    ],
    [
      "a uri",
      f.uri(),
      [
        "https://example.com",
        "http://localhost:3000/a?b=%20#c",
        "mailto:a@b.de",
        "urn:isbn:123",
        "https://müller.de/ü",
      ],
      [
        "",
        "example.com",
        "/path",
        "//host/path",
        "https:",
        "https://",
        "https:example.com",
        "https:///x",
        "https://a b",
        "https://a/%zz",
        "https://a:99999",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\tscript:x",
        " javascript:x",
        "data:text/html,x",
        "vbscript:x",
        "https://a\\b",
        "1http://a",
      ],
    ],
    [
      "a date",
      f.date(),
      ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"],
      [
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-00-10",
        "2024-04-31",
        "2024-01-00",
        "2024-1-1",
        "24-01-01",
        "2024-01-01T00:00:00Z",
        "٢٠٢٤-٠١-٠١",
        "",
      ],
    ],
    [
      "a date and time",
      f.dateTime(),
      ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.123456+05:30", "2024-01-01t00:00:00z"],
      [
        "2024-01-01T00:00:00",
        "2024-01-01 00:00:00Z",
        "2023-02-29T00:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z",
        "2024-12-31T23:59:60Z",
        "2024-01-01T00:00Z",
        "2024-01-01T00:00:00+0530",
        "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00.Z",
        new Date(0),
      ],
    ],
  ])("accepts only valid values for %s", (_, field, good, bad) => {
    for (const value of good) expect([value, fits(field, value)]).toEqual([value, true])
    for (const value of bad) expect([value, fits(field, value)]).toEqual([value, false])
  })

  it.each<[string, f.Field, unknown, string]>([
    ["text", f.text(), 1, "it must be text."],
    ["unstorable text", f.text(), "\0", "it contains a character that cannot be stored."],
    ["short text", f.text({ minLength: 1 }), "", "it must have at least 1 character."],
    ["long text", f.text({ maxLength: 2 }), "abc", "it must have at most 2 characters."],
    ["an address", f.uri(), "x", "it must be a full address with its scheme, such as https://example.com/page."],
    ["a date", f.date(), "x", "it must be a real date, written like 2026-01-31."],
    ["a number", f.number(), "1", "it must be a number."],
    ["an infinite number", f.number(), Number.POSITIVE_INFINITY, "it must be a finite number."],
    ["a large number", f.integer(), 1e20, "it has too many digits to be kept exactly."],
    ["a small number", f.integer({ minimum: 3 }), 2, "it must be at least 3."],
    ["a high number", f.integer({ maximum: 3 }), 4, "it must be at most 3."],
    ["a yes", f.yesNo(), "yes", "it must be yes or no (true or false)."],
    ["a choice", f.choice(["a", "b"]), "c", "it must be one of “a”, “b”."],
    ["a choice from a long list", f.choice([..."abcdefghijk"]), "z", "it must be one of the choices offered."],
    ["a value that is not a list", f.choices(["a"]), "a", "it must be a list of choices."],
    ["a foreign choice", f.choices(["a"]), ["b"], "it may only contain “a”."],
    ["a repeated choice", f.choices(["a"]), ["a", "a"], "it must not contain a choice twice."],
    ["few choices", f.choices(["a"], { minItems: 1 }), [], "it must have at least 1 choice."],
    ["many choices", f.choices(["a", "b"], { maxItems: 1 }), ["a", "b"], "it must have at most 1 choice."],
  ])("says in plain words what is wrong with %s", (_, field, value, message) => {
    expect(problems(one(field), { it: value })).toEqual([{ path: "it", message }])
  })

  const circular: Record<string, unknown> = {}
  circular.it = circular
  const trap = {
    get it(): string {
      throw new Error("no")
    },
  }
  it.each<[string, unknown, RegExp]>([
    ["null", null, /plain object/],
    ["a list", [], /plain object/],
    ["text", "{}", /plain object/],
    ["a Map", new Map([["it", "x"]]), /plain object/],
    ["an object whose getter throws", trap, /plain object/],
    ["a circular object", circular, /plain JSON/],
    ["more than 50 values", Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 1])), /more than 50/],
    ["more than 64 KiB", { it: "é".repeat(33_000) }, /larger than 64 KiB/],
    ["a list of 4 billion items", { it: new Array(2 ** 32 - 1) }, /larger than 64 KiB/],
  ])("refuses %s before it reads any field", (_, content, message) => {
    expect(problems(one(f.integer()), content)).toEqual([{ path: "", message: expect.stringMatching(message) }])
  })

  verifies("answer.unknown-fields-refused", "does not mistake inherited property names for fields", () => {
    const hostile = JSON.parse('{"it":"x","__proto__":{"a":1},"toString":"x","constructor":"x"}')
    expect(problems(one(f.text()), hostile).map((problem) => problem.path)).toEqual([
      "__proto__",
      "toString",
      "constructor",
    ])
    expect(problems(f.form({ toString: f.text() }), {})).toHaveLength(1)
  })

  it("does not repeat an unknown name that is long or cannot be printed", () => {
    for (const name of ["x".repeat(101), "a\u0007", "\ud800"]) {
      const message = "The answer contains a field that the form does not have."
      expect(problems(one(f.text()), { it: "x", [name]: 1 })).toEqual([{ path: "", message }])
    }
  })

  verifies("answer.never-repeated", "never repeats a value in a message", () => {
    const secret = "s3cr3tvalue"
    fc.assert(
      fc.property(anyForm, (form) => {
        const content = Object.fromEntries(Object.keys(form.properties).map((name) => [name, secret]))
        expect(JSON.stringify(problems(form, content))).not.toContain(secret)
      }),
    )
  })

  verifies("answer.never-throws", "never throws, and returns only content that survives JSON", () => {
    const content = fc.oneof(fc.anything(), fc.jsonValue(), fc.dictionary(fc.string(), fc.anything()))
    fc.assert(
      fc.property(anyForm, content, (form, given) => {
        const judged = validate(form, given)
        if (judged.ok) expect(JSON.parse(JSON.stringify(judged.content))).toEqual(judged.content)
        else expect(judged.problems.length).toBeGreaterThan(0)
      }),
    )
  })

  it("returns every valid answer unchanged, and accepts the form's defaults", () => {
    fc.assert(
      fc.property(anyAnswered, ([form, content]) => {
        expect(validate(form, content)).toEqual({ ok: true, content })
        const { required: _, ...relaxed } = form
        const defaults = f.withDefaults(form)
        expect(validate(relaxed, defaults)).toEqual({ ok: true, content: defaults })
      }),
    )
  })

  verifies("answer.never-throws", "refuses hostile text of 60,000 characters in linear time", () => {
    const started = performance.now()
    for (const field of [f.email(), f.uri(), f.dateTime()]) {
      for (const value of [`${"a.".repeat(30_000)}@`, `a@${"a-".repeat(30_000)}`, `h:${"%".repeat(60_000)}`]) {
        expect(validate(one(field), { it: value }).ok).toBe(false)
      }
    }
    // Linear time takes milliseconds; a search that restarts at every character takes seconds.
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
