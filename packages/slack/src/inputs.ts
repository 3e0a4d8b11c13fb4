// Converts a field of a form to an input of Slack, and the entered value back to a value of the form. Limits of length
// and range are in a hint and checked by the hub, because Slack counts characters differently from JSON Schema. Pure.

import type { Field, Option } from "@holdpoint/hub/forms"
import { kindOf, optionsOf } from "@holdpoint/hub/forms"
import type { NumberField, TextField } from "@holdpoint/hub/internal"
import { englishTexts, hintOf, isObject } from "@holdpoint/hub/internal"
import { toPlainText } from "./text.ts"
import type { Block, Json } from "./wire.ts"

type Input = Extract<Block, { readonly type: "input" }>
type Element = Input["element"]

export interface FieldAt {
  readonly name: string
  readonly field: Field
  readonly block: string
  readonly isRequired: boolean
}

const action = "value"
const longestOption = 75
const mostVisible = 10
const mostInGroup = 100
const longestText = 3_000

/** Creates the input of a field. Undefined when Slack cannot show the whole field. */
export function inputOf({ name, field, block, isRequired }: FieldAt): Input | undefined {
  const element = elementOf(field)
  if (element === undefined) return undefined
  const hint = [field.description ?? "", hintOf(field, englishTexts, "")].filter((one) => one !== "").join(" ")
  return {
    ...{ type: "input", block_id: block, label: toPlainText(field.title || name, 2_000), element },
    ...(hint === "" ? {} : { hint: toPlainText(hint, 2_000) }),
    // An empty list is a valid value of a required field, but a required input of Slack needs a choice, so the input is
    // optional.
    optional: !isRequired || (field.type === "array" && (field.minItems ?? 0) === 0),
  }
}

function elementOf(field: Field): Element | undefined {
  switch (field.type) {
    case "boolean":
      return choiceOf(yesNo, field.default === undefined ? [] : [field.default ? "yes" : "no"])
    case "array":
      return choicesOf(optionsOf(field) ?? [], field.default ?? [], field.maxItems)
    case "number":
    case "integer":
      return numberOf(field)
    case "string": {
      const options = optionsOf(field)
      if (options === undefined) return textOf(field as TextField)
      return choiceOf(options, field.default === undefined ? [] : [field.default])
    }
  }
}

const yesNo: readonly Option[] = [
  { const: "yes", title: englishTexts.yes },
  { const: "no", title: englishTexts.no },
]

/** The value of an option is its index, because Slack limits the length of values and the form does not. */
function toOptions(options: readonly Option[]) {
  return options.map(({ const: value, title }, index) => ({
    text: toPlainText(title === "" ? value : title),
    value: String(index),
  }))
}

const isTooLong = ({ const: value, title }: Option): boolean => (title === "" ? value : title).length > longestOption

/** Creates a list of options, in groups if there are more than a hundred. */
function listOf(options: ReturnType<typeof toOptions>) {
  if (options.length <= mostInGroup) return { options }
  const groups = Array.from({ length: Math.ceil(options.length / mostInGroup) }, (_none, index) => {
    const first = index * mostInGroup
    const groupOptions = options.slice(first, first + mostInGroup)
    return { label: toPlainText(`${first + 1} – ${first + groupOptions.length}`, longestOption), options: groupOptions }
  })
  return { option_groups: groups }
}

function choiceOf(offered: readonly Option[], chosen: readonly string[]): Element | undefined {
  if (offered.length === 0 || offered.some(isTooLong)) return undefined
  const options = toOptions(offered)
  const [first] = options.filter((_option, index) => chosen.includes(offered[index]?.const ?? ""))
  const initial = first === undefined ? {} : { initial_option: first }
  if (options.length <= mostVisible) return { type: "radio_buttons", action_id: action, options, ...initial }
  return { type: "static_select", action_id: action, ...listOf(options), ...initial } as Element
}

function choicesOf(offered: readonly Option[], chosen: readonly string[], most?: number): Element | undefined {
  if (offered.length === 0 || offered.some(isTooLong)) return undefined
  const options = toOptions(offered)
  const chosenOptions = options.filter((_option, index) => chosen.includes(offered[index]?.const ?? ""))
  const initial = chosenOptions.length === 0 ? {} : { initial_options: chosenOptions }
  if (options.length <= mostVisible) return { type: "checkboxes", action_id: action, options, ...initial }
  const limit = most === undefined || most < 1 || most > 100 ? {} : { max_selected_items: most }
  return { type: "multi_static_select", action_id: action, ...listOf(options), ...limit, ...initial } as Element
}

function numberOf({ type, default: initial }: NumberField): Element | undefined {
  const digits = initial === undefined ? undefined : String(initial)
  // Slack does not support numbers with exponents.
  if (digits !== undefined && !/^-?\d+(\.\d+)?$/.test(digits)) return undefined
  return {
    ...{ type: "number_input", action_id: action, is_decimal_allowed: type === "number" },
    ...(digits === undefined ? {} : { initial_value: digits }),
  }
}

function textOf({ format, minLength = 0, maxLength, default: initial }: TextField): Element | undefined {
  if (minLength > longestText || (initial ?? "").length > longestText) return undefined
  const value = initial === undefined || initial === "" ? {} : { initial_value: initial }
  switch (format) {
    case "email":
      return { type: "email_text_input", action_id: action, ...value }
    case "uri":
      return { type: "url_text_input", action_id: action, ...value }
    case "date":
      return { type: "datepicker", action_id: action, ...(initial === undefined ? {} : { initial_date: initial }) }
    case "date-time":
      return timeOf(initial)
    case undefined: {
      const isLong = (maxLength ?? 0) > 200 || (initial ?? "").length > 200 || (initial ?? "").includes("\n")
      return { type: "plain_text_input", action_id: action, ...value, ...(isLong ? { multiline: true } : {}) }
    }
  }
}

/** Creates an input for a time. Undefined for a default outside the years 2001 to 2286, which Slack cannot show. */
function timeOf(initial: string | undefined): Element | undefined {
  if (initial === undefined) return { type: "datetimepicker", action_id: action }
  const seconds = Math.floor(Date.parse(initial) / 1_000)
  if (!/^\d{10}$/.test(String(seconds))) return undefined
  return { type: "datetimepicker", action_id: action, initial_date_time: seconds }
}

/**
 * Converts the entered value to a value of the form. Undefined when the field is empty. The hub validates the value.
 */
export function enteredValue(field: Field, state: Json | undefined): unknown {
  const fieldState = state?.[action]
  if (!isObject(fieldState)) return undefined
  switch (kindOf(field)) {
    case "boolean": {
      const index = chosenOf(fieldState.selected_option)
      return index === undefined ? undefined : index === 0
    }
    case "choice": {
      const index = chosenOf(fieldState.selected_option)
      return index === undefined ? undefined : optionsOf(field)?.[index]?.const
    }
    case "choices": {
      const options = Array.isArray(fieldState.selected_options)
        ? (fieldState.selected_options as readonly unknown[])
        : []
      return options.flatMap((option) => optionsOf(field)?.[chosenOf(option) ?? -1]?.const ?? [])
    }
    case "number":
    case "integer": {
      const text = typeof fieldState.value === "string" ? fieldState.value.trim() : ""
      return text === "" ? undefined : Number.isFinite(Number(text)) ? Number(text) : text
    }
    case "text":
      return textEntered(fieldState)
  }
}

function chosenOf(option: unknown): number | undefined {
  return isObject(option) && typeof option.value === "string" && /^\d{1,3}$/.test(option.value)
    ? Number(option.value)
    : undefined
}

function textEntered({ value, selected_date: date, selected_date_time: time }: Json): string | undefined {
  if (typeof time === "number") return new Date(time * 1_000).toISOString().replace(".000Z", "Z")
  const text = typeof date === "string" ? date : value
  return typeof text === "string" && text !== "" ? text : undefined
}
