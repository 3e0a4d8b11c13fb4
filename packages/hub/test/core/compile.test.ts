// Which schemas become forms, and where and how others are refused, with the real zod and ArkType.

import { verifies } from "@holdpoint/testkit/verifies"
import { type } from "arktype"
import fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { compile, type JsonSchema, type StandardJsonSchema } from "../../src/core/compile.ts"
import { HoldpointError, type Problem } from "../../src/core/error.ts"
import * as f from "../../src/core/form.ts"
import { anyForm } from "./forms.ts"

const object = (properties: unknown, more: object = {}) => ({ type: "object", properties, ...more })
const field = (schema: unknown) => compile(object({ it: schema })).properties.it

function refused(schema: unknown): readonly Problem[] {
  try {
    compile(schema)
  } catch (error) {
    if (error instanceof HoldpointError && error.code === "invalid_question") return error.problems
    throw error
  }
  return []
}

const paths = (schema: unknown) => refused(schema).map((problem) => problem.path)

describe("compile, given JSON Schema", () => {
  const ab = [
    { const: "a", title: "A" },
    { const: "b", title: "B" },
  ]
  it.each<[string, unknown, f.Field]>([
    ["text", { type: "string", minLength: 1, maxLength: 9 }, { type: "string", minLength: 1, maxLength: 9 }],
    ["a known format", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }],
    [
      "a format with its pattern",
      { type: "string", format: "date", pattern: "^x$" },
      { type: "string", format: "date" },
    ],
    ["numbers", { type: "number", minimum: 0, maximum: 1 }, { type: "number", minimum: 0, maximum: 1 }],
    ["a boolean with default", { type: "boolean", default: true }, { type: "boolean", default: true }],
    ["labels", { type: "number", title: "T", description: "D" }, { type: "number", title: "T", description: "D" }],
    ["an untitled choice", { type: "string", enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    ["a choice without type", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    ["a fixed text", { const: "a" }, { type: "string", enum: ["a"] }],
    ["a titled choice", { type: "string", oneOf: ab }, { type: "string", oneOf: ab }],
    ["a titled choice as anyOf", { anyOf: ab }, { type: "string", oneOf: ab }],
    ["fixed texts as anyOf", { anyOf: [{ const: "a" }, { const: "b" }] }, { type: "string", enum: ["a", "b"] }],
    [
      "a choice with a missing title",
      { oneOf: [{ const: "a", title: "A" }, { const: "b" }] },
      { type: "string", oneOf: [ab[0]!, { const: "b", title: "b" }] },
    ],
    [
      "a legacy choice",
      { type: "string", enum: ["a"], enumNames: ["A"], default: "a" },
      { type: "string", enum: ["a"], enumNames: ["A"], default: "a" },
    ],
    [
      "a multiple choice",
      { type: "array", items: { enum: ["a", "b"] }, minItems: 1, maxItems: 2, uniqueItems: true, default: ["b"] },
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2, default: ["b"] },
    ],
    ["a titled multiple choice", { type: "array", items: { anyOf: ab } }, { type: "array", items: { anyOf: ab } }],
    ["a list of one text", { type: "array", items: { const: "a" } }, f.choices(["a"])],
    ["safe-integer bounds", { type: "integer", minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 }, { type: "integer" }],
    [
      "harmless keywords",
      { $comment: "c", $id: "i", examples: [1], readOnly: true, writeOnly: true, deprecated: true, type: "boolean" },
      { type: "boolean" },
    ],
  ])("accepts %s", (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })

  it("drops keywords that have no meaning for a form, and sorts required by the order of the fields", () => {
    const fields = { a: { type: "string" }, b: { type: "boolean" } }
    const more = { $schema: "s", title: "T", description: "D", additionalProperties: false, required: ["b", "a"] }
    const form = { type: "object", properties: fields, required: ["a", "b"] }
    expect(compile(object(fields, more))).toEqual(form)
    expect(compile(object({}))).toEqual({ type: "object", properties: {} })
    expect(compile(object(fields, { required: [] }))).not.toHaveProperty("required")
  })

  const address = { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } }
  it.each<[string, unknown, string, RegExp]>([
    ["nesting", address, "", /it_street, it_city/],
    ["a free object", { type: "object" }, "", /it_first/],
    ["something that is not an object", true, "", /type: "string"/],
    ["a missing type", { title: "T" }, ".type", /string, number/],
    ["null", { type: "null" }, ".type", /string, number/],
    ["a nullable type", { type: ["string", "null"] }, ".type", /out of required/],
    ["nullable", { type: "string", nullable: true }, ".nullable", /out of required/],
    ["null in anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, ".anyOf", /out of required/],
    ["a union type", { type: ["string", "number"] }, ".type", /enum.*separate questions/],
    ["a type in a list", { type: ["string"] }, ".type", /type: "string"/],
    ["a union", { anyOf: [{ type: "string" }, { type: "number" }] }, ".anyOf", /enum.*separate questions/],
    ["oneOf of schemas", { oneOf: [{ type: "string" }] }, ".oneOf", /enum/],
    ["fixed numbers", { anyOf: [{ const: 1 }, { const: 2 }] }, ".anyOf", /enum/],
    ["a pattern", { type: "string", pattern: "^a$" }, ".pattern", /description.*check/],
    ["an unknown format", { type: "string", format: "uuid" }, ".format", /description.*check/],
    ["a mistyped format", { type: "string", format: "datetime" }, ".format", /“date-time”/],
    ["a format that is not text", { type: "string", format: 1 }, ".format", /description/],
    ["an exclusive minimum", { type: "integer", exclusiveMinimum: 0 }, ".exclusiveMinimum", /minimum: 1\./],
    ["a fractional exclusive minimum", { type: "integer", exclusiveMinimum: 0.5 }, ".exclusiveMinimum", /minimum: 1\./],
    ["an exclusive maximum", { type: "integer", exclusiveMaximum: 10 }, ".exclusiveMaximum", /maximum: 9\./],
    ["an open bound", { type: "number", exclusiveMinimum: 0 }, ".exclusiveMinimum", /“more than 0”/],
    ["an open end", { type: "number", exclusiveMaximum: 1 }, ".exclusiveMaximum", /“less than 1”/],
    ["the old exclusiveMinimum", { type: "number", exclusiveMinimum: true }, ".exclusiveMinimum", /with a number/],
    ["multiples", { type: "number", multipleOf: 2 }, ".multipleOf", /check/],
    ["a reference", { $ref: "#/$defs/a" }, ".$ref", /in place/],
    ["allOf", { allOf: [{ type: "string" }] }, ".allOf", /next one/],
    ["a negation", { type: "string", not: { const: "a" } }, ".not", /next one/],
    ["a fixed number", { type: "number", const: 5 }, ".const", /yes-or-no/],
    ["a fixed truth", { const: true }, ".const", /yes-or-no/],
    ["a free list", { type: "array", items: { type: "string" } }, ".items", /one entry per line/],
    ["a list of anything", { type: "array" }, ".items", /one entry per line/],
    ["a tuple", { type: "array", items: { enum: ["a"] }, prefixItems: [] }, ".prefixItems", /enum/],
    ["repeated choices", { type: "array", items: { enum: ["a"] }, uniqueItems: false }, ".uniqueItems", /true/],
    ["a description of items", { type: "array", items: { enum: ["a"], minLength: 1 } }, ".items.minLength", /Remove/],
    ["a union of items", { type: "array", items: { anyOf: [{ type: "string" }] } }, ".items.anyOf", /enum/],
    ["files", { type: "string", contentEncoding: "base64" }, ".contentEncoding", /upload page/],
    ["a keyword of another kind", { type: "boolean", minLength: 1 }, ".minLength", /Remove/],
    ["a mistyped keyword", { type: "string", minlength: 1 }, ".minlength", /“minLength”/],
    ["an unknown keyword", { type: "string", "x-widget": "big" }, ".x-widget", /Remove/],
    ["a negative length", { type: "string", minLength: -1 }, ".minLength", /Write one/],
    ["a fractional length", { type: "string", maxLength: 1.5 }, ".maxLength", /Write one/],
    ["swapped lengths", { type: "string", minLength: 3, maxLength: 2 }, ".minLength", /Swap/],
    ["swapped bounds", { type: "number", minimum: 3, maximum: 2 }, ".minimum", /Swap/],
    ["bounds without a whole number between them", { type: "integer", minimum: 0.2, maximum: 0.8 }, ".minimum", /Swap/],
    ["an infinite bound", { type: "number", maximum: Number.POSITIVE_INFINITY }, ".maximum", /number/],
    ["a bound that is text", { type: "integer", minimum: "0" }, ".minimum", /number/],
    ["swapped counts", { type: "array", items: { enum: ["a"] }, minItems: 1, maxItems: 0 }, ".minItems", /Swap/],
    ["too high a count", { type: "array", items: { enum: ["a"] }, minItems: 2 }, ".minItems", /at most 1/],
    ["no choices", { enum: [] }, ".enum", /Add/],
    ["an enum that is not a list", { enum: "a" }, ".enum", /strings/],
    ["a choice that is not text", { enum: ["a", 1] }, ".enum.1", /strings/],
    ["choices of numbers", { type: "number", enum: ["1"] }, ".type", /strings/],
    ["the same choice twice", { enum: ["a", "b", "a"] }, ".enum.2", /Remove/],
    ["the same titled choice twice", { oneOf: [{ const: "a" }, { const: "a" }] }, ".oneOf.1.const", /Remove/],
    ["an extra member of an option", { oneOf: [{ const: "a", description: "x" }] }, ".oneOf.0.description", /Remove/],
    ["an option of another type", { oneOf: [{ const: "a", type: "number" }] }, ".oneOf.0.type", /strings/],
    ["too many choices", { enum: Array.from({ length: 501 }, (_, i) => `${i}`) }, ".enum", /narrower/],
    ["a long choice", { enum: ["x".repeat(201)] }, ".enum.0", /Shorten/],
    ["a long title of a choice", { oneOf: [{ const: "a", title: "x".repeat(201) }] }, ".oneOf.0.title", /Shorten/],
    ["too few legacy titles", { enum: ["a", "b"], enumNames: ["A"] }, ".enumNames", /oneOf/],
    ["a long title", { type: "string", title: "x".repeat(201) }, ".title", /Shorten/],
    ["a title with NUL", { type: "string", title: "a\0" }, ".title", /control characters/],
    ["a long description", { type: "string", description: "x".repeat(2001) }, ".description", /Shorten/],
    ["an unpaired surrogate", { type: "string", description: "\ud800" }, ".description", /surrogates/],
    ["a default of another type", { type: "boolean", default: "yes" }, ".default", /default/],
    ["a default out of bounds", { type: "integer", minimum: 1, default: 0 }, ".default", /default/],
    ["a default that is not one of the choices", { enum: ["a"], default: "b" }, ".default", /default/],
    ["a default that breaks its format", { type: "string", format: "date", default: "x" }, ".default", /default/],
    ["a default of null", { type: "string", default: null }, ".default", /default/],
    ["an unknown default choice", { type: "array", items: { enum: ["a"] }, default: ["b"] }, ".default", /default/],
  ])("refuses %s, and says what to write instead", (_, schema, path, suggestion) => {
    expect(refused(object({ it: schema }))).toEqual([
      {
        path: `properties.it${path}`,
        message: expect.stringMatching(/\.$/),
        suggestion: expect.stringMatching(suggestion),
      },
    ])
  })

  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, { type: "boolean" }]))
  const large = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`f${i}`, { type: "string", description: "é".repeat(1000) }]),
  )
  const anyOf = [{ const: "x".repeat(200), title: "T" }, ...Array.from({ length: 400 }, (_, i) => ({ const: `x${i}` }))]
  const growing = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`f${i}`, { anyOf }]))
  const withDefs = object({ a: { $ref: "#/$defs/s" } }, { $defs: { s: { type: "string" } } })
  it.each<[string, unknown, readonly string[]]>([
    ["another type", { type: "array" }, ["type", "properties"]],
    ["properties that are a list", object([]), ["properties"]],
    ["a union of forms", { anyOf: [object({})] }, ["anyOf", "type", "properties"]],
    ["conditions", object({}, { if: {}, else: {} }), ["if", "else"]],
    ["additional properties", object({}, { additionalProperties: { type: "string" } }), ["additionalProperties"]],
    ["any properties", object({}, { additionalProperties: true }), ["additionalProperties"]],
    ["definitions", withDefs, ["$defs", "properties.a.$ref"]],
    ["required names that do not exist", object({}, { required: ["a", 1] }), ["required.0", "required.1"]],
    ["required names twice", object({ a: { enum: ["a"] } }, { required: ["a", "a"] }), ["required.1"]],
    ["a required that is not a list", object({}, { required: true }), ["required"]],
    ["a required list of 51 names", object({}, { required: Array.from({ length: 51 }, () => "a") }), ["required"]],
    ["an empty name", object({ "": { type: "string" } }), ["properties."]],
    ["a name with a bell", object({ "a\u0007": { type: "string" } }), ["properties.a\u0007"]],
    ["51 fields", object(many), ["properties"]],
    ["more than 64 KiB", object(large), [""]],
    ["titles that make it larger than 64 KiB", object(growing), [""]],
    ["nothing", undefined, [""]],
    ["null", null, [""]],
    ["text", "{}", [""]],
    ["a bigint", object({ a: { default: 1n } }), [""]],
  ])("refuses a form with %s", (_, schema, expected) => {
    expect(paths(schema)).toEqual(expected)
  })

  it.each(["__proto__", "constructor", "prototype"])("refuses a field called %s, and pollutes nothing", (name) => {
    const schema = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string","polluted":true}}}`)
    expect(paths(schema)).toEqual([`properties.${name}`, `properties.${name}.polluted`])
    expect({}).not.toHaveProperty("polluted")
  })

  verifies("form.outside-subset-refused", "lists every violation at once, with a summary of the first", () => {
    const schema = object({ address, age: { type: "integer", exclusiveMinimum: 17 } }, { required: ["agee"] })
    expect(refused(schema)).toEqual([
      expect.objectContaining({ path: "properties.address", suggestion: expect.stringContaining("address_street") }),
      expect.objectContaining({ path: "properties.age.exclusiveMinimum", suggestion: "Use minimum: 18." }),
      expect.objectContaining({ path: "required.0", suggestion: "Did you mean “age”?" }),
    ])
    expect(() => compile(schema)).toThrow(/^The form cannot be used\. properties\.address: .*\(and 2 more\)$/)
  })

  it("returns a compiled form unchanged", () => {
    fc.assert(fc.property(anyForm, (form) => void expect(compile(form)).toEqual(form)))
  })

  verifies("form.bounded", "compiles any input to a stable form or refuses it with problems", () => {
    const keyword = fc.constantFrom("type", "enum", "const", "anyOf", "items", "default", "format", "minimum", "title")
    const value = fc.oneof(fc.constantFrom("string", "integer", "array", "email"), fc.anything())
    const wild = fc.dictionary(fc.string(), fc.dictionary(keyword, value)).map((properties) => object(properties))
    fc.assert(
      fc.property(fc.oneof(fc.anything(), wild), (schema) => {
        if (refused(schema).length === 0) expect(compile(compile(schema))).toEqual(compile(schema))
      }),
    )
  })
})

describe("compile, given zod", () => {
  it("accepts every schema that is equivalent to one of the subset", () => {
    const schema = z.object({
      name: z
        .string()
        .min(1)
        .max(5)
        .meta({ title: "Name", description: "Yours", examples: ["Ann"] }),
      age: z.int(),
      floor: z.int().min(0).max(9),
      price: z.number(),
      mail: z.email(),
      day: z.iso.date(),
      at: z.iso.datetime({ offset: true }),
      site: z.url(),
      plan: z.enum(["free", "pro"]).default("free"),
      only: z.literal("x"),
      either: z.union([z.literal("a"), z.literal("b")]),
      named: z.union([z.literal("a").meta({ title: "A" }), z.literal("b").meta({ title: "B" })]),
      tags: z.array(z.enum(["x", "y"])).min(1),
      sure: z.boolean().default(true),
      note: z.string().optional(),
    })
    expect(compile(schema)).toEqual({
      type: "object",
      properties: {
        name: { type: "string", title: "Name", description: "Yours", minLength: 1, maxLength: 5 },
        age: { type: "integer" },
        floor: { type: "integer", minimum: 0, maximum: 9 },
        price: { type: "number" },
        mail: { type: "string", format: "email" },
        day: { type: "string", format: "date" },
        at: { type: "string", format: "date-time" },
        site: { type: "string", format: "uri" },
        plan: { type: "string", enum: ["free", "pro"], default: "free" },
        only: { type: "string", enum: ["x"] },
        either: { type: "string", enum: ["a", "b"] },
        named: f.choice({ a: "A", b: "B" }),
        tags: { type: "array", items: { type: "string", enum: ["x", "y"] }, minItems: 1 },
        sure: { type: "boolean", default: true },
        note: { type: "string" },
      },
      required: ["name", "age", "floor", "price", "mail", "day", "at", "site", "only", "either", "named", "tags"],
    })
  })

  it.each<[string, z.ZodType, readonly string[]]>([
    ["objects in objects", z.object({ a: z.string() }), [""]],
    ["nullable", z.string().nullable(), [".type"]],
    ["unions", z.union([z.string(), z.number()]), [".type"]],
    ["lists of text", z.array(z.string()), [".items"]],
    ["patterns", z.string().regex(/a/), [".pattern"]],
    ["uuids", z.uuid(), [".pattern", ".format"]],
    ["an address that must match more", z.email().regex(/x/), [".allOf"]],
    ["positive numbers", z.int().positive(), [".exclusiveMinimum"]],
    ["records", z.record(z.string(), z.string()), [".propertyNames", ""]],
  ])("refuses %s", (_, schema, expected) => {
    expect(paths(z.object({ it: schema }))).toEqual(expected.map((path) => `properties.it${path}`))
  })

  it("passes on the reason when zod itself cannot convert the schema", () => {
    const [problem] = refused(z.object({ when: z.date() }))
    expect(problem).toMatchObject({ path: "", message: expect.stringContaining("Date") })
  })
})

describe("compile, given ArkType", () => {
  it("accepts every schema that is equivalent to one of the subset", () => {
    const schema = type({
      name: "1 <= string <= 5",
      age: "number.integer >= 0",
      price: "0 <= number <= 5",
      mail: "string.email",
      site: "string.url",
      plan: "'free' | 'pro'",
      only: "'x'",
      tags: "('x' | 'y')[]",
      sure: "boolean",
      "note?": type("string").describe("anything"),
    })
    const form = compile(schema)
    expect(form.properties).toEqual({
      name: { type: "string", minLength: 1, maxLength: 5 },
      age: { type: "integer", minimum: 0 },
      price: { type: "number", minimum: 0, maximum: 5 },
      mail: { type: "string", format: "email" },
      site: { type: "string", format: "uri" },
      plan: { type: "string", enum: ["free", "pro"] },
      only: { type: "string", enum: ["x"] },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
      sure: { type: "boolean" },
      note: { type: "string", description: "anything" },
    })
    expect(form.required).toHaveLength(9)
    expect(form.required).not.toContain("note")
  })

  it("refuses everything outside the subset, with its path", () => {
    const schema = type({
      a: "string | null",
      b: "string[]",
      c: { d: "string" },
      e: "/^x$/",
      f: "true",
      g: "number > 0",
    })
    expect(paths(schema)).toEqual(
      ["a.anyOf", "b.items", "c", "e.pattern", "f.const", "g.exclusiveMinimum"].map((path) => `properties.${path}`),
    )
  })
})

describe("compile, given any Standard Schema", () => {
  it.each<[string, unknown]>([
    ["has no JSON Schema", { "~standard": { version: 1, vendor: "v", validate: () => ({ value: 1 }) } }],
    ["has no JSON Schema for input", { "~standard": { version: 1, vendor: "v", jsonSchema: {} } }],
    ["is not a Standard Schema", { "~standard": null }],
  ])("suggests an alternative when the schema %s", (_, schema) => {
    expect(refused(schema)).toEqual([
      { path: "", message: expect.any(String), suggestion: expect.stringMatching(/zod 4\.2.*plain JSON Schema/) },
    ])
  })

  verifies("form.knows-its-content", "carries the type of the content over to the form", () => {
    const schema = z.object({ sure: z.boolean(), plan: z.enum(["a", "b"]).optional(), tags: z.array(z.enum(["x"])) })
    const form = compile(schema)
    expectTypeOf<f.ContentOf<typeof form>>().toEqualTypeOf<{ sure: boolean; plan?: "a" | "b"; tags: "x"[] }>()
    const ark = compile(type({ sure: "boolean", "n?": "number" }))
    expectTypeOf<f.ContentOf<typeof ark>>().toEqualTypeOf<{ sure: boolean; n?: number }>()
    expectTypeOf(compile(object({}) as unknown)).toEqualTypeOf<f.Form>()
  })

  it("accepts every kind of source in one parameter", () => {
    const ask = <C extends f.Content>(source: f.Form<C> | JsonSchema | StandardJsonSchema<C>) =>
      compile(source) as f.Form<C>
    const fromZod = ask(z.object({ sure: z.boolean(), age: z.int().optional() }))
    expectTypeOf<f.ContentOf<typeof fromZod>>().toEqualTypeOf<{ sure: boolean; age?: number }>()
    const fromArk = ask(type({ sure: "boolean" }))
    expectTypeOf<f.ContentOf<typeof fromArk>>().toEqualTypeOf<{ sure: boolean }>()
    const fromForm = ask(f.form({ plan: f.choice(["a", "b"]) }))
    expectTypeOf<f.ContentOf<typeof fromForm>>().toEqualTypeOf<{ readonly plan: "a" | "b" }>()
    const fromJson = ask({ type: "object", properties: { a: { type: "string" } } })
    expectTypeOf<f.ContentOf<typeof fromJson>>().toEqualTypeOf<f.Content>()
  })
})
