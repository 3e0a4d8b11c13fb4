// Arbitrary forms, and content that mostly fits them, for the property tests of the form subset.

import fc from "fast-check"
import { type Content, type Field, type Form, optionsOf, type TextField } from "../../src/core/form.ts"

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => text.isWellFormed())
const safe = word.filter((text) => !text.includes("\0"))
const name = fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,8}$/).filter((text) => text !== "constructor")
const labels = { title: safe, description: safe }
const values = fc.uniqueArray(safe, { minLength: 1, maxLength: 5 })
const options = values.map((consts) => consts.map((value) => ({ const: value, title: `The ${value}` })))

function optional<T extends Record<string, fc.Arbitrary<unknown>>>(model: T) {
  return fc.record(model, { requiredKeys: [] })
}

const bare: fc.Arbitrary<Field> = fc.oneof(
  fc.tuple(fc.nat(5), fc.nat(5)).map(([a, b]): Field => ({ type: "string", minLength: a, maxLength: a + b })),
  fc.constantFrom("email", "uri", "date", "date-time").map((format): Field => ({ type: "string", format })),
  fc
    .tuple(fc.constantFrom("number", "integer"), fc.integer(), fc.nat())
    .map(([type, minimum, more]): Field => ({ type, minimum, maximum: minimum + more })),
  fc.constant<Field>({ type: "boolean" }),
  values.map((consts): Field => ({ type: "string", enum: consts })),
  options.map((oneOf): Field => ({ type: "string", oneOf })),
  values.map((consts): Field => ({ type: "string", enum: consts, enumNames: consts.map((value) => `The ${value}`) })),
  values.map((consts): Field => ({ type: "array", items: { type: "string", enum: consts }, minItems: 1 })),
  options.map((anyOf): Field => ({ type: "array", items: { anyOf }, maxItems: 3 })),
)

const field: fc.Arbitrary<Field> = fc
  .tuple(bare, optional(labels), fc.boolean())
  .chain(([shape, label, withDefault]) =>
    withDefault
      ? fitting(shape).map((value) => ({ ...shape, ...label, default: value }) as Field)
      : fc.constant({ ...shape, ...label }),
  )

export const anyForm: fc.Arbitrary<Form> = fc
  .tuple(fc.dictionary(name, field, { maxKeys: 6, noNullPrototype: true }), fc.infiniteStream(fc.boolean()))
  .map(([properties, coins]) => {
    const required = Object.keys(properties).filter(() => coins.next().value)
    return { type: "object", properties, ...(required.length > 0 && { required }) }
  })

/** A form, with an answer to all of its fields that fits. */
export const anyAnswered: fc.Arbitrary<readonly [Form, Content]> = anyForm.chain((form) =>
  fc.tuple(
    fc.constant(form),
    fc.record(Object.fromEntries(Object.entries(form.properties).map(([key, value]) => [key, fitting(value)])), {
      noNullPrototype: true,
    }) as fc.Arbitrary<Content>,
  ),
)

function fitting(field: Field): fc.Arbitrary<Content[string]> {
  const consts = optionsOf(field)?.map((option) => option.const)
  if (field.type === "array") return fc.uniqueArray(fc.constantFrom(...consts!), { minLength: 1, maxLength: 3 })
  if (consts !== undefined) return fc.constantFrom(...consts)
  if (field.type === "boolean") return fc.boolean()
  if (field.type !== "string") return fc.integer({ min: field.minimum!, max: field.maximum! })
  const { format, minLength = 0, maxLength = 9 } = field as TextField
  if (format !== undefined) return fc.constantFrom(...samples[format])
  return fc.string({ unit: fc.constantFrom("a", "é", "👍"), minLength, maxLength })
}

const samples = {
  email: ["a@example.com", "ann.lee+x@mail.example.org"],
  uri: ["https://example.com/a?b#c", "urn:isbn:0451450523"],
  date: ["2024-02-29", "1999-12-31"],
  "date-time": ["2024-02-29T23:59:59Z", "1999-12-31T00:00:00.5-05:00"],
} as const
