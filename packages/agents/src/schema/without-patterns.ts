// Removes the regular expressions from a schema: one that its author chose can take any time. Pure.

import { isObject } from "../json.ts"

export type Schema = Readonly<Record<string, unknown>>

/**
 * The schema without `pattern` and `patternProperties`. Where a schema had `patternProperties`, it accepts all other
 * properties.
 */
export function withoutPatterns(schema: Schema): Schema {
  const hadPatterns = isObject(schema.patternProperties)
  const members = Object.entries(schema).filter(
    ([keyword]) =>
      keyword !== "pattern" &&
      keyword !== "patternProperties" &&
      !(hadPatterns && (keyword === "additionalProperties" || keyword === "unevaluatedProperties")),
  )
  return Object.fromEntries(
    members.map(([keyword, value]) => {
      if (valueKeywords.has(keyword)) return [keyword, value]
      if (nameKeywords.has(keyword) && isObject(value))
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inSchema(one)]))]
      return [keyword, Array.isArray(value) ? value.map(inSchema) : inSchema(value)]
    }),
  )
}

/** Keywords whose members are names chosen by the author, each with a schema. */
const nameKeywords: ReadonlySet<string> = new Set([
  "properties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
])

/** Keywords whose values are data. */
const valueKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples", "required"])

const inSchema = (value: unknown): unknown => (isObject(value) ? withoutPatterns(value) : value)
