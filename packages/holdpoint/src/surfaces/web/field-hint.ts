// Describes the limits of a field in words, where its input does not show them.

import type { Field } from "../../core/form.ts"

/** The hint for a field; empty when it has no limits to explain. */
export function hintOf(field: Field): string {
  switch (field.type) {
    case "boolean":
      return ""
    case "array":
      return sentence("Choose", range(field.minItems, field.maxItems), "")
    case "number":
    case "integer": {
      const kind = field.type === "integer" ? "A whole number," : ""
      return sentence(kind, range(field.minimum, field.maximum), "")
    }
    case "string":
      if ("enum" in field || "oneOf" in field) return ""
      if ("format" in field && field.format === "date-time") return "Time in UTC."
      return sentence("", range(field.minLength, field.maxLength), " characters")
  }
}

function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return least === most ? String(least) : `${least} to ${most}`
  if (least !== undefined) return least > 0 ? `at least ${least}` : ""
  return most === undefined ? "" : `at most ${most}`
}

function sentence(before: string, words: string, unit: string): string {
  if (words === "") return before === "Choose" || before === "" ? "" : `${before.replace(",", "")}.`
  const whole = `${before === "" ? "" : `${before} `}${words}${unit}.`
  return whole.charAt(0).toUpperCase() + whole.slice(1)
}
