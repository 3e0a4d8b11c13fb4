// Converts a property of a tool's JSON Schema to a field that an elicitation may have, if there is an equivalent one.
// The server checks the other rules of the schema, such as patterns.

import type { Field } from "@holdpoint/hub/forms"
import type { Schema } from "./fields.ts"

const formats = ["email", "uri", "date", "date-time"]

/** Undefined for an object, and for a list of anything except fixed options. */
export function toField(schema: Schema): Field | undefined {
  const options = optionsOf(schema)
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type
  if (type === "boolean") return withLabels(schema, { type })
  if (options !== undefined) return withLabels(schema, { type: "string", oneOf: options })
  if (type === "integer" || type === "number")
    return withLabels(schema, { type, ...pick(schema, "minimum", "maximum") })
  if (type === "string") {
    const format = formats.includes(String(schema.format)) ? { format: schema.format } : {}
    return withLabels(schema, { type, ...pick(schema, "minLength", "maxLength"), ...format })
  }
  const itemOptions = type === "array" ? optionsOf((schema.items ?? {}) as Schema) : undefined
  if (itemOptions === undefined) return undefined
  return withLabels(schema, { type: "array", items: { anyOf: itemOptions }, ...pick(schema, "minItems", "maxItems") })
}

type Options = readonly { readonly const: string; readonly title: string }[]

function optionsOf(schema: Schema): Options | undefined {
  const titled = schema.oneOf ?? schema.anyOf
  if (Array.isArray(titled) && titled.every((option) => typeof option?.const === "string"))
    return titled.map(({ const: value, title }) => ({ const: value, title: title ?? value }))
  if (!Array.isArray(schema.enum)) return undefined
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
  return schema.enum.map((value, index) => ({ const: String(value), title: String(names[index] ?? value) }))
}

const withLabels = (schema: Schema, fieldBase: object): Field =>
  ({ ...fieldBase, ...pick(schema, "title", "description", "default") }) as Field

const pick = (schema: Schema, ...names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (schema[name] == null ? [] : [[name, schema[name]]])))
