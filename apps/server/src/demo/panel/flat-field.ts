// Reads a property of any tool's JSON Schema as a field of the flat subset, if it is one or means the same. What it leaves
// out, such as patterns, the server checks.

import type { Field } from "@holdpoint/sdk/forms"
import type { Schema } from "./fields.ts"

const formats = ["email", "uri", "date", "date-time"]

/** Undefined for objects and for lists of anything but given values. */
export function toField(schema: Schema): Field | undefined {
  const options = optionsOf(schema)
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type
  if (type === "boolean") return withLabels(schema, { type })
  if (options !== undefined) return withLabels(schema, { type: "string", oneOf: options })
  if (type === "integer" || type === "number")
    return withLabels(schema, { type, ...pick(schema, "minimum", "maximum") })
  if (type === "string") {
    const format = formats.includes(String(schema.format)) ? { format: schema.format } : {}
    return withLabels(schema, { type, ...pick(schema, "minLength", "maxLength"), ...format })
  }
  const several = type === "array" ? optionsOf((schema.items ?? {}) as Schema) : undefined
  if (several === undefined) return undefined
  return withLabels(schema, { type: "array", items: { anyOf: several }, ...pick(schema, "minItems", "maxItems") })
}

type Options = readonly { readonly const: string; readonly title: string }[]

function optionsOf(schema: Schema): Options | undefined {
  const titled = schema.oneOf ?? schema.anyOf
  if (Array.isArray(titled) && titled.every((one) => typeof one?.const === "string"))
    return titled.map(({ const: value, title }) => ({ const: value, title: title ?? value }))
  if (!Array.isArray(schema.enum)) return undefined
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
  return schema.enum.map((value, at) => ({ const: String(value), title: String(names[at] ?? value) }))
}

const withLabels = (schema: Schema, bare: object): Field =>
  ({ ...bare, ...pick(schema, "title", "description", "default") }) as Field

const pick = (schema: Schema, ...names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (schema[name] == null ? [] : [[name, schema[name]]])))
