// Forms as authors write them, the types they carry, and the helpers that surfaces use to show them.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, expectTypeOf, it } from "vitest"
import { compile } from "../../src/core/compile.ts"
import * as f from "../../src/core/form.ts"
import { nearest } from "../../src/core/nearest.ts"

const trip = f.form(
  {
    name: f.text({ title: "Name", minLength: 1 }),
    age: f.integer({ minimum: 0 }),
    price: f.number(),
    plan: f.choice(["free", "pro"], { default: "free" }),
    seat: f.choice({ a: "Aisle", w: "Window" }),
    tags: f.choices(["x", "y"], { maxItems: 1 }),
    meals: f.choices({ b: "Breakfast", d: "Dinner" }, { default: ["b"] }),
    when: f.date(),
    at: f.dateTime(),
    mail: f.email(),
    site: f.uri(),
    ok: f.yesNo({ default: true }),
  },
  { optional: ["age", "tags"] },
)

describe("form", () => {
  verifies("form.subset-is-mcp", "is plain JSON with the keywords of MCP", () => {
    expect(JSON.parse(JSON.stringify(trip))).toEqual(trip)
    expect(trip.properties).toEqual({
      name: { type: "string", title: "Name", minLength: 1 },
      age: { type: "integer", minimum: 0 },
      price: { type: "number" },
      plan: { type: "string", enum: ["free", "pro"], default: "free" },
      seat: {
        type: "string",
        oneOf: [
          { const: "a", title: "Aisle" },
          { const: "w", title: "Window" },
        ],
      },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] }, maxItems: 1 },
      meals: {
        type: "array",
        items: {
          anyOf: [
            { const: "b", title: "Breakfast" },
            { const: "d", title: "Dinner" },
          ],
        },
        default: ["b"],
      },
      when: { type: "string", format: "date" },
      at: { type: "string", format: "date-time" },
      mail: { type: "string", format: "email" },
      site: { type: "string", format: "uri" },
      ok: { type: "boolean", default: true },
    })
  })

  it("requires every field that is not named as optional", () => {
    expect(trip.required).toEqual(["name", "price", "plan", "seat", "meals", "when", "at", "mail", "site", "ok"])
    expect(f.form({ a: f.text() }, { optional: ["a"] })).not.toHaveProperty("required")
  })

  it("passes the compiler unchanged", () => {
    expect(compile(trip)).toEqual(trip)
  })

  verifies("form.knows-its-content", "carries the type of its content", () => {
    expectTypeOf<f.ContentOf<typeof trip>>().toEqualTypeOf<{
      readonly name: string
      readonly age?: number
      readonly price: number
      readonly plan: "free" | "pro"
      readonly seat: "a" | "w"
      readonly tags?: readonly ("x" | "y")[]
      readonly meals: readonly ("b" | "d")[]
      readonly when: string
      readonly at: string
      readonly mail: string
      readonly site: string
      readonly ok: boolean
    }>()
    expectTypeOf<f.ContentOf<f.Form>>().toEqualTypeOf<f.Content>()
    expectTypeOf(trip).toExtend<f.Form>()
  })

  it("rejects unknown defaults and optional names at compile time", () => {
    // @ts-expect-error the default is not one of the values
    f.choice(["a", "b"], { default: "c" })
    // @ts-expect-error the default is not one of the values
    f.choices({ a: "A" }, { default: ["c"] })
    // @ts-expect-error no field has this name
    f.form({ a: f.text() }, { optional: ["b"] })
  })
})

describe("withDefaults", () => {
  it("returns exactly the fields that have a default", () => {
    expect(f.withDefaults(trip)).toEqual({ plan: "free", meals: ["b"], ok: true })
  })
})

describe("kindOf and optionsOf", () => {
  const legacy: f.Field = { type: "string", enum: ["a"], enumNames: ["The a"] }
  const titled = [{ const: "a", title: "The a" }]
  const bare = [{ const: "a", title: "a" }]
  it.each<[string, f.Field, f.Kind, unknown]>([
    ["text", f.text(), "text", undefined],
    ["a date", f.date(), "text", undefined],
    ["a number", f.number(), "number", undefined],
    ["a whole number", f.integer(), "integer", undefined],
    ["a boolean", f.yesNo(), "boolean", undefined],
    ["an untitled choice", f.choice(["a"]), "choice", bare],
    ["a titled choice", f.choice({ a: "The a" }), "choice", titled],
    ["a legacy choice", legacy, "choice", titled],
    ["an untitled multiple choice", f.choices(["a"]), "choices", bare],
    ["a titled multiple choice", f.choices({ a: "The a" }), "choices", titled],
  ])("return the kind and the options of %s", (_, field, kind, options) => {
    expect(f.kindOf(field)).toBe(kind)
    expect(f.optionsOf(field)).toEqual(options)
  })
})

describe("nearest", () => {
  it.each([
    ["agee", ["name", "age"], "age"],
    ["nmae", ["name", "age"], "name"],
    ["AGE", ["age"], "age"],
    ["minlenght", ["minimum", "minLength"], "minLength"],
    ["colour", ["color", "colours"], "color"],
    ["zip", ["age", "name"], undefined],
    ["", ["age"], undefined],
    ["age", ["agee", "age"], "age"],
    ["x".repeat(41), ["x".repeat(41)], undefined],
    ["age", [], undefined],
  ])("of %j among %j is %j", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected)
  })
})
