// Converts a field to a prompt, as plain data, and typed text back to a value. Core validates.

import type { Form } from "@holdpoint/hub"
import type { Field, Option } from "@holdpoint/hub/forms"
import { optionsOf, validate } from "@holdpoint/hub/forms"
import type { TextField } from "@holdpoint/hub/internal"
import { toPlainText } from "./plain.ts"

export type Value = string | number | boolean | readonly string[]

/** A prompt for one value. `note` describes the expected value, and is shown in brackets. */
export interface Prompt {
  readonly label: string
  readonly note: string
  readonly description?: string
  readonly control: Control
}

export type Control =
  | { readonly type: "line"; readonly prefill: string }
  /** Yes is never the initial choice: Enter alone must not approve anything. */
  | { readonly type: "yes-no"; readonly initial?: false }
  /** A single choice. `initial` is an index. An option without a value omits the field. */
  | { readonly type: "one"; readonly options: readonly OneOption[]; readonly initial: number }
  | { readonly type: "several"; readonly options: readonly Option[]; readonly ticked: readonly string[] }

export interface OneOption {
  readonly title: string
  readonly value?: string | boolean
}

/** Converts a field to a prompt. `current` is the present value: the default at first, and later the last entry. */
export function toPrompt(form: Form, name: string, current: Value | undefined): Prompt {
  const field = fieldOf(form, name)
  const isRequired = isRequiredIn(form, name)
  const control = toControl(field, isRequired, current)
  const { description } = field
  return {
    label: labelOf(form, name),
    note: [isRequired ? "required" : "optional", ...hintsOf(field, isRequired, control)].join(", "),
    ...(description === undefined ? {} : { description }),
    control,
  }
}

export function labelOf(form: Form, name: string): string {
  return fieldOf(form, name).title || name
}

/**
 * Converts a typed line to the value of a text or number field; undefined omits the field. An unchanged prefilled line
 * keeps the current value.
 */
export function fromLine(field: Field, current: Value | undefined, line: string): Value | undefined {
  if (current !== undefined && line === toLine(current)) return current
  if (field.type === "string") {
    const text = "format" in field ? line.trim() : line
    return text === "" ? undefined : text
  }
  const digits = line.trim()
  if (digits === "") return undefined
  // Text that is not a number stays text, so that core reports it.
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) : digits
}

/** The problem with one value, in the hub's words; undefined if there is none. */
export function problemWith(form: Form, name: string, value: Value | undefined): string | undefined {
  const required = isRequiredIn(form, name) ? [name] : []
  const singleFieldForm: Form = { type: "object", properties: { [name]: fieldOf(form, name) }, required }
  const result = validate(singleFieldForm, value === undefined ? {} : { [name]: value })
  return result.ok ? undefined : result.problems.map(({ message }) => message).join(" ")
}

/** Writes a value for people. */
export function toWords(field: Field, value: Value | undefined): string {
  if (value === undefined) return "(left out)"
  if (typeof value === "boolean") return value ? "Yes" : "No"
  const options = optionsOf(field)
  const titleOf = (one: string): string => options?.find((option) => option.const === one)?.title ?? one
  if (typeof value === "string") return titleOf(value)
  if (typeof value === "number") return String(value)
  return value.length === 0 ? "(none)" : value.map(titleOf).join(", ")
}

export function fieldOf(form: Form, name: string): Field {
  return form.properties[name]!
}

function toControl(field: Field, isRequired: boolean, current: Value | undefined): Control {
  const options = optionsOf(field)
  if (field.type === "array") {
    return { type: "several", options: options ?? [], ticked: Array.isArray(current) ? current : [] }
  }
  if (options !== undefined) {
    const choices = options.map(({ const: value, title }) => ({ title, value }))
    return toSingleChoice(choices, isRequired, current)
  }
  if (field.type !== "boolean") return { type: "line", prefill: current === undefined ? "" : toLine(current) }
  const initial = current === false ? { initial: current } : {}
  return isRequired ? { type: "yes-no", ...initial } : toSingleChoice(yesOrNo, isRequired, initial.initial)
}

const yesOrNo: readonly OneOption[] = [
  { title: "Yes", value: true },
  { title: "No", value: false },
]

function toSingleChoice(choices: readonly OneOption[], isRequired: boolean, current: Value | undefined): Control {
  const options = isRequired ? choices : [{ title: "(leave out)" }, ...choices]
  const initial = options.findIndex(({ value }) => value === current)
  return { type: "one", options, initial: Math.max(0, initial) }
}

function hintsOf(field: Field, isRequired: boolean, control: Control): readonly string[] {
  switch (field.type) {
    case "boolean":
      return ["yes or no", ...(field.default === true ? ["suggested: yes"] : [])]
    case "array": {
      const amount = rangeWords(field.minItems, field.maxItems, "")
      return [...amount.map((words) => `choose ${words}`), ...(isRequired ? [] : ["none leaves it out"])]
    }
    case "number":
      return ["a number", ...rangeWords(field.minimum, field.maximum, "")]
    case "integer":
      return ["a whole number", ...rangeWords(field.minimum, field.maximum, "")]
    case "string":
      return control.type === "line" ? textHints(field) : []
  }
}

function textHints({ format, minLength, maxLength }: TextField): readonly string[] {
  const lengths = rangeWords(minLength, maxLength, " characters")
  return format === undefined ? lengths : [formatHints[format], ...lengths]
}

const formatHints: Readonly<Record<NonNullable<TextField["format"]>, string>> = {
  email: "an email address",
  uri: "an address like https://example.com/page",
  date: "a date as YYYY-MM-DD",
  "date-time": "a date and time like 2026-01-31T09:30:00Z",
}

function rangeWords(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  if (least !== undefined && most !== undefined)
    return [least === most ? `${least}${unit}` : `${least} to ${most}${unit}`]
  if (least !== undefined) return [`at least ${least}${unit}`]
  return most === undefined ? [] : [`at most ${most}${unit}`]
}

function isRequiredIn(form: Form, name: string): boolean {
  return form.required?.includes(name) ?? false
}

function toLine(value: Value): string {
  return toPlainText(String(value))
}
