// What clients of each protocol revision are shown, and that nothing is lost on the way.

import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Abilities, degrade } from "../../src/core/degrade.ts"
import * as f from "../../src/core/form.ts"
import { validate } from "../../src/core/validate.ts"
import { anyAnswered } from "./forms.ts"

const titled = f.choice({ a: "Aisle", w: "Window" }, { title: "Seat" })
const legacy: f.Field = { type: "string", title: "Seat", enum: ["a", "w"], enumNames: ["Aisle", "Window"] }

const degraded = (field: f.Field, abilities: Abilities) => {
  const result = degrade(f.form({ it: field }), abilities)
  return result.ok ? result.form.properties.it : result.problems
}

describe("degrade", () => {
  it.each<[string, f.Field, f.Field]>([
    ["titles become enumNames", titled, legacy],
    ["enumNames stay", legacy, legacy],
    ["a boolean keeps its default", f.yesNo({ default: true }), f.yesNo({ default: true })],
    ["other defaults move into the description", f.integer({ default: 3 }), f.integer({ description: "Default: 3" })],
    [
      "a default follows an existing description",
      f.text({ description: "A city.", default: "Ulm" }),
      f.text({ description: "A city.\nDefault: Ulm" }),
    ],
    [
      "a choice's default is given by its title",
      f.choice({ a: "Aisle" }, { default: "a" }),
      { type: "string", enum: ["a"], enumNames: ["Aisle"], description: "Default: Aisle" },
    ],
    [
      "a very long default is cut",
      f.text({ default: "👍".repeat(300) }),
      f.text({ description: `Default: ${"👍".repeat(200)}…` }),
    ],
  ])("for 2025-06-18: %s", (_, field, expected) => {
    expect(degraded(field, { revision: "2025-06-18" })).toEqual(expected)
  })

  it.each(["2025-11-25", "2026-07-28"] as const)("for %s: every field stays unchanged", (revision) => {
    for (const field of [titled, legacy, f.integer({ default: 3 }), f.choices({ a: "A" }, { default: ["a"] })]) {
      expect(degraded(field, { revision })).toEqual(field)
    }
  })

  verifies(
    "form.degrades-without-loss",
    "refuses multiple choice for 2025-06-18 instead of dropping the field, even an optional one",
    () => {
      const form = f.form({ tags: f.choices(["a"], { title: "Tags" }), more: f.choices(["a"]) }, { optional: ["more"] })
      expect(degrade(form, { revision: "2025-06-18" })).toEqual({
        ok: false,
        problems: ["tags", "more"].map((name) => ({
          path: `properties.${name}`,
          message: expect.stringMatching(
            /^This client cannot show “(Tags|more)”: it does not support multiple choice\.$/,
          ),
          suggestion: expect.any(String),
        })),
      })
    },
  )

  it("refuses the kinds of field that a client cannot show, naming each field", () => {
    const form = f.form({ n: f.number(), i: f.integer(), s: f.choices(["a"]), t: f.text() })
    const result = degrade(form, { revision: "2025-11-25", kinds: ["text", "boolean", "choice"] })
    const paths = result.ok ? [] : result.problems.map((problem) => problem.path)
    expect(paths).toEqual(["properties.n", "properties.i", "properties.s"])
  })

  const kinds: fc.Arbitrary<f.Kind[]> = fc.subarray(["text", "number", "integer", "boolean", "choice", "choices"])
  const abilities: fc.Arbitrary<Abilities> = fc
    .tuple(fc.constantFrom("2025-06-18", "2025-11-25", "2026-07-28"), fc.option(kinds, { nil: undefined, freq: 3 }))
    .map(([revision, kinds]) => ({ revision, ...(kinds && { kinds }) }))

  it("is idempotent", () => {
    fc.assert(
      fc.property(anyAnswered, abilities, ([form], able) => {
        const once = degrade(form, able)
        if (once.ok) expect(degrade(once.form, able)).toEqual(once)
      }),
    )
  })

  verifies(
    "form.degrades-without-loss",
    "keeps every field: an answer fits the degraded form if and only if it fits the original",
    () => {
      const noise = fc.dictionary(fc.string(), fc.jsonValue())
      fc.assert(
        fc.property(anyAnswered, abilities, noise, ([form, content], able, other) => {
          const result = degrade(form, able)
          if (!result.ok) return
          expect(Object.keys(result.form.properties)).toEqual(Object.keys(form.properties))
          for (const given of [content, other, { ...content, ...other }]) {
            expect(validate(result.form, given).ok).toBe(validate(form, given).ok)
          }
        }),
      )
    },
  )
})
