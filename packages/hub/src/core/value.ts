// Validates one value against one field. The messages have no subject ("must be a whole number.") and leave out the
// value, which may be private.

import { countCharacters, isStorable } from "./characters.ts"
import { type Field, type NumberField, optionsOf, type TextField } from "./form.ts"
import { formatRules } from "./format.ts"

/** Returns what is wrong with a value. Empty when the value fits its field. */
export function faultsOf(field: Field, value: unknown): readonly string[] {
  const options = optionsOf(field)?.map((option) => option.const)
  if (field.type === "array") return faultsOfChoices(field, options ?? [], value)
  if (options !== undefined) return faultsOfChoice(options, value)
  if (field.type === "boolean") return faultsOfBoolean(value)
  return field.type === "string" ? faultsOfText(field, value) : faultsOfNumber(field, value)
}

function faultsOfText(field: TextField, value: unknown): readonly string[] {
  if (typeof value !== "string") return ["must be text."]
  if (!isStorable(value)) return ["contains a character that cannot be stored."]
  const length = countCharacters(value)
  return presentFaults(
    field.minLength !== undefined &&
      length < field.minLength &&
      `must have at least ${pluralize(field.minLength, "character")}.`,
    field.maxLength !== undefined &&
      length > field.maxLength &&
      `must have at most ${pluralize(field.maxLength, "character")}.`,
    field.format !== undefined && !formatRules[field.format].fits(value) && formatRules[field.format].words,
  )
}

function faultsOfNumber(field: NumberField, value: unknown): readonly string[] {
  const isWhole = field.type === "integer"
  if (typeof value !== "number") return [isWhole ? "must be a whole number." : "must be a number."]
  if (!Number.isFinite(value)) return ["must be a finite number."]
  if (isWhole && !Number.isInteger(value)) return ["must be a whole number."]
  // Beyond 2^53, JSON turns different integers into the same number.
  if (isWhole && !Number.isSafeInteger(value)) return ["has too many digits to be kept exactly."]
  return presentFaults(
    field.minimum !== undefined && value < field.minimum && `must be at least ${field.minimum}.`,
    field.maximum !== undefined && value > field.maximum && `must be at most ${field.maximum}.`,
  )
}

function faultsOfBoolean(value: unknown): readonly string[] {
  return typeof value === "boolean" ? [] : ["must be yes or no (true or false)."]
}

function faultsOfChoice(options: readonly string[], value: unknown): readonly string[] {
  if (typeof value !== "string") return ["must be one of the choices, as text."]
  return options.includes(value) ? [] : [`must be one of ${quotedList(options)}.`]
}

function faultsOfChoices(
  field: { readonly minItems?: number; readonly maxItems?: number },
  options: readonly string[],
  value: unknown,
): readonly string[] {
  if (!Array.isArray(value)) return ["must be a list of choices."]
  return presentFaults(
    !value.every((item) => options.includes(item)) && `may only contain ${quotedList(options)}.`,
    new Set(value).size < value.length && "must not contain a choice twice.",
    field.minItems !== undefined &&
      value.length < field.minItems &&
      `must have at least ${pluralize(field.minItems, "choice")}.`,
    field.maxItems !== undefined &&
      value.length > field.maxItems &&
      `must have at most ${pluralize(field.maxItems, "choice")}.`,
  )
}

function quotedList(options: readonly string[]): string {
  return options.length > 10 ? "the choices offered" : options.map((option) => `“${option}”`).join(", ")
}

function pluralize(amount: number, noun: string): string {
  return amount === 1 ? `${amount} ${noun}` : `${amount} ${noun}s`
}

function presentFaults(...faults: readonly (string | false)[]): readonly string[] {
  return faults.filter((fault) => fault !== false)
}
