// Creates form content that fits a schema, and content that does not.

import type { Json } from "./json.ts"
import { dig, isRecord } from "./json.ts"

/** Form content that fits the schema. */
export function validContent(schema: unknown): Json {
  const properties = dig(schema, "properties")
  if (!isRecord(properties)) return {}
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueFor(field)]))
}

/** Form content of the wrong types: a number for each string, and a string for each other field. */
export function invalidContent(schema: unknown): Json {
  const properties = dig(schema, "properties")
  if (!isRecord(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, dig(field, "type") === "string" ? 7 : "seven"]),
  )
}

const sampleTexts: Readonly<Record<string, string>> = {
  email: "someone@example.com",
  uri: "https://example.com/",
  date: "2026-07-28",
  "date-time": "2026-07-28T12:00:00Z",
}

function valueFor(field: unknown): unknown {
  const defaultValue = dig(field, "default")
  if (defaultValue !== undefined) return defaultValue
  switch (dig(field, "type")) {
    case "boolean":
      return true
    case "number":
    case "integer":
      return dig(field, "minimum") ?? dig(field, "maximum") ?? 1
    case "array":
      return optionsOf(dig(field, "items")).slice(0, Math.max(1, Number(dig(field, "minItems") ?? 1)))
    default:
      return optionsOf(field)[0] ?? textFor(field)
  }
}

function textFor(field: unknown): string {
  const text = sampleTexts[String(dig(field, "format"))] ?? "something"
  return text.padEnd(Number(dig(field, "minLength") ?? 0), "g").slice(0, Number(dig(field, "maxLength") ?? Infinity))
}

function optionsOf(field: unknown): readonly unknown[] {
  const values = dig(field, "enum")
  if (Array.isArray(values)) return values
  const titledOptions = dig(field, "oneOf") ?? dig(field, "anyOf")
  return Array.isArray(titledOptions) ? titledOptions.map((option) => dig(option, "const")) : []
}
