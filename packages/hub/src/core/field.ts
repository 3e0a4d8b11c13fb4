// Converts one JSON Schema property to a form field. The first shape that fits reads it; keywords that the shape does
// not know are reported.

import { adviceOnNesting, type JsonSchema, nullableAdvice, unionAdvice } from "./advice.ts"
import { isShowable } from "./characters.ts"
import { readChoice, readChoices, readEnum } from "./choice.ts"
import { type Field, type Format, formats } from "./form.ts"
import { isObject } from "./json.ts"
import { nearest } from "./nearest.ts"
import { hasKeyword, type Report, readCounts, readLabels, reportOthers, type SchemaReader } from "./schema.ts"
import { faultsOf } from "./value.ts"

interface Shape {
  readonly fits: (schema: JsonSchema) => boolean
  /** The keywords that a field of this shape may have, besides type, title, description and default. */
  readonly keywords: readonly string[]
  readonly read: (schema: JsonSchema, reader: SchemaReader) => Field | undefined
}

const nesting = ["properties", "required", "additionalProperties"]

const shapes: readonly Shape[] = [
  { fits: (s) => hasKeyword(s, "$ref"), keywords: [], read: () => undefined },
  { fits: (s) => Array.isArray(s.type), keywords: ["format"], read: reportUnion },
  { fits: (s) => s.type === "object" || hasKeyword(s, "properties"), keywords: nesting, read: reportNesting },
  { fits: (s) => s.type === "array", keywords: ["items", "minItems", "maxItems"], read: readChoices },
  { fits: (s) => hasKeyword(s, "enum"), keywords: ["enum", "enumNames"], read: readEnum },
  { fits: (s) => typeof s.const === "string", keywords: ["const"], read: readChoice("const") },
  { fits: (s) => hasKeyword(s, "oneOf"), keywords: ["oneOf"], read: readChoice("oneOf") },
  { fits: (s) => hasKeyword(s, "anyOf"), keywords: ["anyOf"], read: readChoice("anyOf") },
  { fits: (s) => s.type === "string", keywords: ["minLength", "maxLength", "format"], read: readText },
  { fits: (s) => s.type === "number", keywords: ["minimum", "maximum"], read: readNumber },
  { fits: (s) => s.type === "integer", keywords: ["minimum", "maximum"], read: readNumber },
  { fits: (s) => s.type === "boolean", keywords: [], read: () => ({ type: "boolean" }) },
  { fits: (s) => hasKeyword(s, "const") || hasKeyword(s, "allOf"), keywords: [], read: () => undefined },
  { fits: () => true, keywords: [], read: reportType },
]

export function readField(name: string, schema: unknown, report: Report): Field | undefined {
  const reader = { name, path: `properties.${name}`, report }
  if (!isObject(schema)) {
    report(reader.path, { message: "A field must be an object.", suggestion: 'Use { type: "string" }.' })
    return undefined
  }
  const shape = shapes.find(({ fits }) => fits(schema))!
  const knownKeywords = ["type", "title", "description", "default", ...shape.keywords, ...impliedBy(schema)]
  reportOthers(schema, reader.path, knownKeywords, report)
  const unlabelled = shape.read(schema, reader)
  const labels = readLabels(schema, reader)
  return unlabelled && withDefault(schema, { ...unlabelled, ...labels }, reader)
}

/** Keywords that schema libraries add redundantly: the pattern of a format, and unique items of a set. */
function impliedBy(schema: JsonSchema): readonly string[] {
  if (schema.type === "string" && isFormat(schema.format)) return ["pattern"]
  return schema.type === "array" && schema.uniqueItems === true ? ["uniqueItems"] : []
}

function isFormat(value: unknown): value is Format {
  return (formats as readonly unknown[]).includes(value)
}

function reportUnion(schema: JsonSchema, { path, report }: SchemaReader): undefined {
  const types = schema.type as readonly unknown[]
  const advice = types.length === 2 && types.includes("null") ? nullableAdvice : unionAdvice
  report(`${path}.type`, types.length === 1 ? { ...unionAdvice, suggestion: `Write type: "${types[0]}".` } : advice)
}

function reportNesting(schema: JsonSchema, { name, path, report }: SchemaReader): undefined {
  report(path, adviceOnNesting(name, schema))
}

function reportType(schema: JsonSchema, { path, report }: SchemaReader): undefined {
  const message = hasKeyword(schema, "type") ? "A form has no fields of this type." : "A field needs a type."
  report(`${path}.type`, { message, suggestion: "Use string, number, integer, boolean, or a choice." })
}

function readText(schema: JsonSchema, reader: SchemaReader): Field {
  const format = schema.format
  const counts = readCounts(schema, ["minLength", "maxLength"], reader)
  if (isFormat(format)) return { type: "string", ...counts, format }
  if (format !== undefined) {
    const suggestion = typeof format === "string" ? nearest(format, formats) : undefined
    const describe = "Describe the expected format in the description, and check the answer when you have it."
    reader.report(`${reader.path}.format`, {
      message: `A form supports only the formats ${formats.join(", ")}.`,
      suggestion: suggestion === undefined ? describe : `Did you mean “${suggestion}”?`,
    })
  }
  return { type: "string", ...counts }
}

function readNumber(schema: JsonSchema, { path, report }: SchemaReader): Field {
  const type = schema.type === "integer" ? "integer" : "number"
  const bounds: { minimum?: number; maximum?: number } = {}
  for (const keyword of ["minimum", "maximum"] as const) {
    const bound = schema[keyword]
    if (typeof bound === "number") bounds[keyword] = bound
    else if (bound !== undefined) {
      report(`${path}.${keyword}`, { message: "A bound must be a finite number.", suggestion: "Write a number." })
    }
  }
  // Schema libraries add the bounds of safe integers, which apply anyway.
  if (type === "integer" && bounds.minimum === Number.MIN_SAFE_INTEGER) delete bounds.minimum
  if (type === "integer" && bounds.maximum === Number.MAX_SAFE_INTEGER) delete bounds.maximum
  const largest = type === "integer" ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  const [least, most] = [Math.max(bounds.minimum ?? -largest, -largest), Math.min(bounds.maximum ?? largest, largest)]
  if (type === "integer" ? Math.ceil(least) > Math.floor(most) : least > most) {
    report(`${path}.minimum`, { message: "No number lies between minimum and maximum.", suggestion: "Swap them?" })
  }
  return { type, ...bounds }
}

function withDefault(schema: JsonSchema, field: Field, { path, report }: SchemaReader): Field {
  if (!hasKeyword(schema, "default")) return field
  const isHidden = typeof schema.default === "string" && !isShowable(schema.default)
  const faults = isHidden ? ["contains control characters."] : faultsOf(field, schema.default)
  for (const fault of faults) {
    report(`${path}.default`, { message: `The default ${fault}`, suggestion: "Change the default, or leave it out." })
  }
  return faults.length > 0 ? field : ({ ...field, default: schema.default } as Field)
}
