// Describes the limits of a field in words, where its input does not show them.

import type { Field } from "../core/form.ts"
import { type FormTexts, fillIn } from "./texts.ts"

/** The hint for a field; empty when it has no limits to explain. */
export function hintOf(field: Field, texts: FormTexts, timeHint: string): string {
  switch (field.type) {
    case "boolean":
      return ""
    case "array":
      return withRange(texts.choose, rangeOf(texts, field.minItems || undefined, field.maxItems))
    case "number":
      return withRange(texts.numberWithin, rangeOf(texts, field.minimum, field.maximum))
    case "integer":
      return withRange(texts.wholeNumberWithin, rangeOf(texts, field.minimum, field.maximum)) || texts.wholeNumber
    case "string":
      if ("enum" in field || "oneOf" in field) return ""
      if ("format" in field && field.format === "date-time") return timeHint
      return withRange(texts.characters, rangeOf(texts, leastLength(field), field.maxLength))
  }
}

/** The minimum length to mention. Undefined for 1, because an answer that is given is never empty. */
const leastLength = ({ minLength = 0 }: { readonly minLength?: number }): number | undefined =>
  minLength > 1 ? minLength : undefined

function rangeOf(texts: FormTexts, least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined)
    return least === most ? String(least) : fillIn(texts.between, { least, most })
  if (least !== undefined) return fillIn(texts.atLeast, { least })
  return most === undefined ? "" : fillIn(texts.atMost, { most })
}

function withRange(text: string, range: string): string {
  if (range === "") return ""
  const hint = fillIn(text, { range })
  return hint.charAt(0).toUpperCase() + hint.slice(1)
}
