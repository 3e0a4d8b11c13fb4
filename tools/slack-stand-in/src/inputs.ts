// Converts the input of a person in a modal into state.values, and finds input that Slack's client itself refuses.
// Pure.

import { type Fields, isFields } from "./limits/check.ts"

export type EnteredValues = Readonly<Record<string, unknown>>

export interface FilledForm {
  /** The values by block and action, as in the payload of a submission. */
  readonly values: Readonly<Record<string, Readonly<Record<string, Fields>>>>
  /** The errors that the client shows before it sends anything, by block. */
  readonly errors: Readonly<Record<string, string>>
}

/** Fills in the inputs of a view. `entered` names them by block_id, by action_id or by label. */
export function fillIn(blocks: readonly Fields[], entered: EnteredValues): FilledForm {
  const values: Record<string, Record<string, Fields>> = {}
  const errors: Record<string, string> = {}
  for (const block of blocks.filter(({ type }) => type === "input")) {
    const id = block.block_id as string
    const element = block.element as Fields
    const action = (element.action_id ?? "action") as string
    const name = [id, action, textIn(block.label)].find((one) => Object.hasOwn(entered, one))
    const state = name === undefined ? initialOf(element) : stateOf(element, entered[name])
    values[id] = { [action]: state }
    const error = errorOf(block, element, state)
    if (error !== undefined) errors[id] = error
  }
  return { values, errors }
}

const textIn = (value: unknown): string => (isFields(value) ? String(value.text) : "")

/** By type: the member with the chosen value, and the function that converts a test's value. */
const members: Readonly<Record<string, readonly [string, (element: Fields, value: unknown) => unknown]>> = {
  static_select: ["selected_option", chosen],
  external_select: ["selected_option", (_element, value) => value],
  radio_buttons: ["selected_option", chosen],
  multi_static_select: ["selected_options", severalChosen],
  checkboxes: ["selected_options", severalChosen],
  datepicker: ["selected_date", same],
  timepicker: ["selected_time", same],
  datetimepicker: ["selected_date_time", same],
  users_select: ["selected_user", same],
}

function stateOf(element: Fields, value: unknown): Fields {
  const type = element.type as string
  const [member, read] = members[type] ?? ["value", (_element: Fields, one: unknown) => written(one)]
  return { type, [member]: value === null || value === undefined ? emptyOf(member) : read(element, value) }
}

function initialOf(element: Fields): Fields {
  const type = element.type as string
  const [member] = members[type] ?? ["value"]
  const initial = element[member === "value" ? "initial_value" : member.replace("selected", "initial")]
  return { type, [member]: initial ?? emptyOf(member) }
}

const emptyOf = (member: string): unknown => (member === "selected_options" ? [] : null)

function same(_element: Fields, value: unknown): unknown {
  return value
}

function written(value: unknown): string | null {
  return value === "" ? null : String(value)
}

function optionsOf(element: Fields): readonly Fields[] {
  const groups = (element.option_groups ?? []) as readonly Fields[]
  return [...((element.options ?? []) as readonly Fields[]), ...groups.flatMap(({ options }) => options as Fields[])]
}

function chosen(element: Fields, value: unknown): Fields {
  const option = optionsOf(element).find((one) => one.value === value || textIn(one.text) === value)
  if (option === undefined) throw new Error(`There is no option “${String(value)}” to choose.`)
  return option
}

function severalChosen(element: Fields, value: unknown): readonly Fields[] {
  return (value as readonly unknown[]).map((one) => chosen(element, one))
}

function errorOf(block: Fields, element: Fields, state: Fields): string | undefined {
  const { type: _type, ...rest } = state
  const [value] = Object.values(rest)
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
  if (isEmpty) return block.optional === true ? undefined : "Please complete this required field."
  if (typeof value !== "string") return undefined
  if (element.type === "number_input") return numberError(element, value)
  if (typeof element.max_length === "number" && value.length > element.max_length) return "That is too long."
  if (typeof element.min_length === "number" && value.length < element.min_length) return "That is too short."
  if (element.type === "email_text_input" && !/^\S+@\S+$/.test(value)) return "Please enter a valid email address."
  if (element.type === "url_text_input" && !URL.canParse(value)) return "Please enter a valid URL."
  return undefined
}

function numberError(element: Fields, value: string): string | undefined {
  const number = Number(value)
  if (!Number.isFinite(number)) return "Please enter a number."
  if (element.is_decimal_allowed === false && !Number.isInteger(number)) return "Please enter a whole number."
  if (element.min_value !== undefined && number < Number(element.min_value)) return "That is too small."
  return element.max_value !== undefined && number > Number(element.max_value) ? "That is too large." : undefined
}
