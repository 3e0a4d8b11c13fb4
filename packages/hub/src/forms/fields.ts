// A form's fields as nodes: labelled, described, filled with known values, each with its problems beside it. The one
// renderer for pages, widgets and the panel. It validates nothing, so that pages do not load the rules of validation.

import type { Problem } from "../core/error.ts"
import type { Field, Form, NumberField, Option, TextField } from "../core/form.ts"
import { kindOf, optionsOf } from "../core/form.ts"
import { type FieldValue, offsetName, postedName, type Times, toValues } from "./content.ts"
import { hintOf } from "./hint.ts"
import { type FormNode, node } from "./node.ts"
import { englishTexts, type FormTexts, fillIn } from "./texts.ts"

/** A form to show, with what is known about its answer. */
export interface FieldsView {
  /** Keeps the ids of this form's inputs unique on the page. */
  readonly prefix: string
  readonly form: Form
  /** Values given before. Default: the form's defaults. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** The problems of the last answer, as the server gave them. */
  readonly problems?: readonly Problem[] | undefined
  readonly texts?: Partial<FormTexts> | undefined
  /**
   * In which zone times are shown and typed. Default `local`, for a page that is built in the person's browser; `utc`
   * for HTML that a server writes.
   */
  readonly times?: Times | undefined
}

/** One field with everything that its input shows or refers to. */
interface Row {
  readonly id: string
  readonly name: string
  readonly field: Field
  readonly label: string
  readonly isRequired: boolean
  readonly value: FieldValue
  readonly problems: readonly string[]
  readonly hint: string
  readonly texts: FormTexts
  readonly times: Times
}

/** Up to this many options a single choice is shown as radio buttons, beyond it as a drop-down list. */
const mostRadios = 5

/** The fields of a form, one node each. */
export function fieldNodes(view: FieldsView): readonly FormNode[] {
  return toRows(view).map(fieldNode)
}

/** A list of all problems, each with a link to its field; empty when there are none. */
export function problemSummaryNodes(view: FieldsView): readonly FormNode[] {
  const rows = toRows(view).filter(({ problems }) => problems.length > 0)
  const otherProblems = (view.problems ?? []).filter(({ path }) => !Object.hasOwn(view.form.properties, path))
  if (rows.length + otherProblems.length === 0) return []
  const items = [
    ...otherProblems.map(({ message }) => node("li", {}, message)),
    ...rows.flatMap((row) =>
      row.problems.map((problem) => node("li", {}, node("a", { href: `#${targetOf(row)}` }, problem))),
    ),
  ]
  const heading = node("p", {}, node("strong", {}, view.texts?.notSent ?? englishTexts.notSent))
  return [node("div", { class: "notice bad", role: "alert", tabindex: -1 }, heading, node("ul", {}, ...items))]
}

function toRows(view: FieldsView): readonly Row[] {
  const { prefix, form, values, problems = [], times = "local" } = view
  const fieldValues = toValues(form, values, times)
  const texts = { ...englishTexts, ...view.texts }
  const timeHint = times === "utc" ? texts.timeInUtc : fillIn(texts.timeHere, { zone: localZone() })
  return Object.entries(form.properties).map(([name, field], index) => ({
    id: `${prefix}-${index + 1}`,
    name,
    field,
    label: field.title || name,
    isRequired: form.required?.includes(name) ?? false,
    value: fieldValues[name] ?? "",
    problems: problems.filter(({ path }) => path === name).map(({ message }) => message),
    hint: hintOf(field, texts, timeHint),
    texts,
    times,
  }))
}

const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ")

function fieldNode(row: Row): FormNode {
  const { id, field, label, isRequired, texts } = row
  const mark = isRequired
    ? needsAnswer(field) && node("span", { class: "required", "aria-hidden": "true" }, "*")
    : !isTick(row) && node("span", { class: "optional" }, texts.optional)
  const words = mark === false ? [label] : [label, " ", mark]
  if (isGroup(row)) {
    const role = field.type === "array" ? {} : { role: "radiogroup", "aria-invalid": ariaInvalid(row) }
    const fieldAttributes = { class: "field", id, ...role, "aria-describedby": describedBy(row) }
    return node("fieldset", fieldAttributes, node("legend", {}, ...words), ...notes(row), group(row), problemsOf(row))
  }
  const name = node("label", { for: id }, ...words)
  if (!isTick(row)) return node("div", { class: "field" }, name, ...notes(row), ...control(row), problemsOf(row))
  const box = node("input", {
    type: "checkbox",
    ...nameAttributes(row),
    value: "yes",
    checked: row.value === true,
    ...ariaAttributes(row),
  })
  return node("div", { class: "field" }, node("div", { class: "tick" }, box, name), ...notes(row), problemsOf(row))
}

function notes({ id, field, hint }: Row): readonly (FormNode | false)[] {
  return [
    field.description !== undefined && node("p", { class: "hint", id: `${id}-about` }, field.description),
    hint !== "" && node("p", { class: "hint", id: `${id}-hint` }, hint),
  ]
}

function problemsOf({ id, problems }: Row): FormNode | false {
  return problems.length > 0 && node("p", { class: "problem", id: `${id}-problem` }, problems.join(" "))
}

function describedBy({ id, field, hint, problems }: Row): string | undefined {
  const ids = [
    ...(field.description === undefined ? [] : [`${id}-about`]),
    ...(hint === "" ? [] : [`${id}-hint`]),
    ...(problems.length === 0 ? [] : [`${id}-problem`]),
  ]
  return ids.length > 0 ? ids.join(" ") : undefined
}

const ariaInvalid = ({ problems }: Row): string | undefined => (problems.length > 0 ? "true" : undefined)

/** Whether the field is one box to tick. An optional yes or no without a default is not: a box cannot be left open. */
function isTick({ field, isRequired }: Pick<Row, "field" | "isRequired">): boolean {
  return field.type === "boolean" && (isRequired || field.default !== undefined)
}

/**
 * Whether an empty answer to a required field is refused. It is accepted from a box, where it means no, and from a list
 * of boxes without a minimum.
 */
const needsAnswer = (field: Field): boolean =>
  field.type !== "boolean" && (field.type !== "array" || (field.minItems ?? 0) > 0)

function isGroup(row: Pick<Row, "field" | "isRequired">): boolean {
  const kind = kindOf(row.field)
  if (kind === "boolean") return !isTick(row)
  return kind === "choices" || (kind === "choice" && (optionsOf(row.field)?.length ?? 0) <= mostRadios)
}

/** The id that a link to the field points to; for a group it is the first input. */
function targetOf(row: Row): string {
  return isGroup(row) ? `${row.id}-1` : row.id
}

function group(row: Row): FormNode {
  const { id, field, isRequired, value, texts } = row
  const isMultiple = field.type === "array"
  const yesOrNo = [
    { const: "yes", title: texts.yes },
    { const: "no", title: texts.no },
  ]
  const choices = optionsOf(field) ?? yesOrNo
  const isClosed = isMultiple || isRequired || hasEmpty(choices)
  const options = isClosed ? choices : [...choices, { const: "", title: texts.noAnswer }]
  const chosen = typeof value === "boolean" ? (value ? "yes" : "no") : value
  const isChosen = (value: string): boolean => (Array.isArray(chosen) ? chosen.includes(value) : chosen === value)
  const ticks = options.map((option, index) => {
    const inputAttributes = {
      id: `${id}-${index + 1}`,
      name: postedName(row.name),
      value: option.const,
      checked: isChosen(option.const),
    }
    const state = isMultiple ? { "aria-invalid": ariaInvalid(row) } : { required: isRequired }
    const input = node("input", { type: isMultiple ? "checkbox" : "radio", ...inputAttributes, ...state })
    return node("div", { class: "tick" }, input, node("label", { for: inputAttributes.id }, option.title))
  })
  return node("div", { class: "options" }, ...ticks)
}

function control(row: Row): readonly FormNode[] {
  const { field } = row
  switch (kindOf(field)) {
    case "choice":
      return [selectNode(row, optionsOf(field) ?? [])]
    case "number":
    case "integer":
      return [numberInput(row, field as NumberField)]
    default:
      return textInput(row, field as TextField)
  }
}

function selectNode(row: Row, options: readonly Option[]): FormNode {
  const { isRequired, value, texts } = row
  const blank = !hasEmpty(options) && node("option", { value: "" }, isRequired ? texts.chooseOne : texts.noAnswer)
  const optionNodes = options.map((option) =>
    node("option", { value: option.const, selected: option.const === value }, option.title),
  )
  return node("select", commonAttributes(row), blank, ...optionNodes)
}

function numberInput(row: Row, { type, minimum, maximum }: NumberField): FormNode {
  const isInteger = type === "integer"
  const limits = { step: isInteger ? "1" : "any", min: minimum, max: maximum }
  return input(row, { type: "number", inputmode: isInteger ? "numeric" : "decimal", ...limits })
}

function textInput(row: Row, field: TextField): readonly FormNode[] {
  const value = String(row.value)
  const minlength = field.minLength
  switch (field.format) {
    // Not type=email, because browsers then reject characters that are valid in addresses.
    case "email": {
      const emailAttributes = { inputmode: "email", autocomplete: "email", autocapitalize: "none", spellcheck: "false" }
      return [input(row, { type: "text", ...emailAttributes, minlength })]
    }
    case "uri":
      return [input(row, { type: "url", autocomplete: "off", placeholder: "https://", minlength })]
    case "date":
      return [input(row, { type: "date" })]
    case "date-time":
      return timeInputs(row, value)
    default:
      return [
        isLong(row, field)
          ? node("textarea", { rows: 4, minlength, ...commonAttributes(row) }, value)
          : input(row, { type: "text", minlength }),
      ]
  }
}

/** An input for the time without its offset, and a hidden input for the offset. */
function timeInputs(row: Row, value: string): readonly FormNode[] {
  const isUtc = row.times === "utc"
  const step = /:\d\d:/.test(value) ? "any" : "60"
  return [
    input(row, { type: "datetime-local", step, "data-local": isUtc }),
    node("input", { type: "hidden", name: offsetName(row.name), value: isUtc ? "Z" : "local" }),
  ]
}

function input(row: Row, attributes: FormNode["attributes"]): FormNode {
  return node("input", { ...attributes, ...commonAttributes(row), value: String(row.value) })
}

function commonAttributes(row: Row): FormNode["attributes"] {
  return { ...nameAttributes(row), required: row.isRequired, ...ariaAttributes(row) }
}

const nameAttributes = ({ id, name }: Row) => ({ id, name: postedName(name) })

const ariaAttributes = (row: Row) => ({ "aria-describedby": describedBy(row), "aria-invalid": ariaInvalid(row) })

/** The names of fields that get a textarea, unless a `maxLength` says otherwise. */
const longNames = /^(?:body|comment|content|description|instructions|message|note|notes|reason|text)$/i

/**
 * Whether the text needs a textarea. `maxlength` is not set, because browsers count characters differently than core.
 */
function isLong({ name, value }: Row, { maxLength }: TextField): boolean {
  const text = String(value)
  return (maxLength === undefined ? longNames.test(name) : maxLength > 200) || text.length > 80 || text.includes("\n")
}

function hasEmpty(options: readonly Option[]): boolean {
  return options.some((option) => option.const === "")
}
