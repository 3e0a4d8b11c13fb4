// A form's fields as inputs: labelled, described, filled with known values, each with its problems beside it.

import type { Problem } from "../../core/error.ts"
import type { Field, Form, NumberField, Option, TextField } from "../../core/form.ts"
import { kindOf, optionsOf } from "../../core/form.ts"
import { hintOf } from "./field-hint.ts"
import { type Html, html } from "./html.ts"
import { type FieldValue, offsetName, postedName, toValues } from "./map.ts"

export interface FieldsView {
  /** Keeps the ids of this form's inputs unique on the page. */
  readonly prefix: string
  readonly form: Form
  readonly values?: Readonly<Record<string, unknown>> | undefined
  readonly problems?: readonly Problem[] | undefined
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
}

/** Up to this many options a single choice is shown as radio buttons, beyond it as a drop-down list. */
const mostRadios = 5

export function formFields(view: FieldsView): Html {
  return html`${toRows(view).map((row) => fieldset(row))}`
}

/** A list of all problems, each with a link to its field; false when there are none. */
export function problemSummary(view: FieldsView): Html | false {
  const rows = toRows(view).filter(({ problems }) => problems.length > 0)
  const names = Object.keys(view.form.properties)
  const others = (view.problems ?? []).filter(({ path }) => !names.includes(path))
  if (rows.length + others.length === 0) return false
  return html`<div class="notice bad" role="alert" tabindex="-1">
<p><strong>This could not be sent yet.</strong></p>
<ul>${others.map(({ message }) => html`<li>${message}</li>`)}${rows.flatMap(({ id, field, problems }) =>
    problems.map((problem) => html`<li><a href="#${targetOf(id, field)}">${problem}</a></li>`),
  )}</ul>
</div>`
}

function toRows({ prefix, form, values, problems = [] }: FieldsView): readonly Row[] {
  const shown = toValues(form, values)
  return Object.entries(form.properties).map(([name, field], index) => {
    const isRequired = form.required?.includes(name) ?? false
    return {
      id: `${prefix}-${index + 1}`,
      name: postedName(name),
      field,
      label: field.title || name,
      isRequired,
      value: shown[name] ?? "",
      problems: problems.filter(({ path }) => path === name).map(({ message }) => message),
      hint: hintOf(field),
    }
  })
}

function fieldset(row: Row): Html {
  const { id, field, label, isRequired } = row
  const asGroup = isGroup(field)
  const words = html`${label}${!isRequired && field.type !== "boolean" && html` <span class="optional">optional</span>`}`
  if (asGroup) {
    return html`<fieldset class="field" id="${id}"${field.type !== "array" && html` role="radiogroup"${invalid(row)}`}${described(row)}>
<legend>${words}</legend>
${notes(row)}${group(row)}${problemsOf(row)}
</fieldset>`
  }
  if (field.type === "boolean") {
    return html`<div class="field">
<div class="tick"><input type="checkbox" id="${id}" name="${row.name}" value="yes"${row.value === true && html` checked`}${described(row)}${invalid(row)}><label for="${id}">${words}</label></div>
${notes(row)}${problemsOf(row)}
</div>`
  }
  return html`<div class="field">
<label for="${id}">${words}</label>
${notes(row)}${control(row)}${problemsOf(row)}
</div>`
}

function notes({ id, field, hint }: Row): Html {
  return html`${
    field.description !== undefined &&
    html`<p class="hint" id="${id}-about">${field.description}</p>
`
  }${
    hint !== "" &&
    html`<p class="hint" id="${id}-hint">${hint}</p>
`
  }`
}

function problemsOf({ id, problems }: Row): Html | false {
  return problems.length > 0 && html`<p class="problem" id="${id}-problem">${problems.join(" ")}</p>`
}

function described({ id, field, hint, problems }: Row): Html | false {
  const ids = [
    ...(field.description === undefined ? [] : [`${id}-about`]),
    ...(hint === "" ? [] : [`${id}-hint`]),
    ...(problems.length === 0 ? [] : [`${id}-problem`]),
  ]
  return ids.length > 0 && html` aria-describedby="${ids.join(" ")}"`
}

function invalid({ problems }: Row): Html | false {
  return problems.length > 0 && html` aria-invalid="true"`
}

function isGroup(field: Field): boolean {
  const kind = kindOf(field)
  return kind === "choices" || (kind === "choice" && (optionsOf(field)?.length ?? 0) <= mostRadios)
}

/** The id that a link to the field points to; for a group it is the first input. */
function targetOf(id: string, field: Field): string {
  return isGroup(field) ? `${id}-1` : id
}

function group(row: Row): Html {
  const { id, name, field, isRequired, value } = row
  const several = field.type === "array"
  const offered = optionsOf(field) ?? []
  const options = several || isRequired || hasEmpty(offered) ? offered : [...offered, { const: "", title: "No answer" }]
  const isChosen = (one: string): boolean => (Array.isArray(value) ? value.includes(one) : value === one)
  return html`<div class="options">${options.map(
    (option, index) => html`
<div class="tick"><input type="${several ? "checkbox" : "radio"}" id="${id}-${index + 1}" name="${name}" value="${option.const}"${
      isChosen(option.const) && html` checked`
    }${several ? invalid(row) : isRequired && html` required`}><label for="${id}-${index + 1}">${option.title}</label></div>`,
  )}
</div>`
}

function control(row: Row): Html {
  const { field } = row
  switch (kindOf(field)) {
    case "choice":
      return select(row, optionsOf(field) ?? [])
    case "number":
    case "integer":
      return numberInput(row, field as NumberField)
    default:
      return textInput(row, field as TextField)
  }
}

function select(row: Row, options: readonly Option[]): Html {
  const { isRequired, value } = row
  const blank = hasEmpty(options) ? false : html`<option value="">${isRequired ? "Choose one" : "No answer"}</option>`
  return html`<select${common(row)}>${blank}${options.map(
    (option) =>
      html`<option value="${option.const}"${option.const === value && html` selected`}>${option.title}</option>`,
  )}</select>`
}

function numberInput(row: Row, { type, minimum, maximum }: NumberField): Html {
  const step = type === "integer" ? "1" : "any"
  return html`<input type="number" inputmode="${type === "integer" ? "numeric" : "decimal"}" step="${step}"${attribute("min", minimum)}${attribute("max", maximum)}${common(row)} value="${row.value}">`
}

function textInput(row: Row, field: TextField): Html {
  const { value, name } = row
  const least = attribute("minlength", field.minLength)
  switch (field.format) {
    // Not type=email: browsers reject characters there that are valid in addresses.
    case "email":
      return html`<input type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false"${least}${common(row)} value="${value}">`
    case "uri":
      return html`<input type="url" autocomplete="off" placeholder="https://"${least}${common(row)} value="${value}">`
    case "date":
      return html`<input type="date"${common(row)} value="${value}">`
    case "date-time":
      return html`<input type="datetime-local" step="${/:\d\d:/.test(String(value)) ? "any" : "60"}" data-local${common(row)} value="${value}"><input type="hidden" name="${offsetName(name.slice(postedName("").length))}" value="Z">`
    default:
      return isLong(field, String(value))
        ? html`<textarea rows="4"${least}${common(row)}>${"\n"}${value}</textarea>`
        : html`<input type="text"${least}${common(row)} value="${value}">`
  }
}

function common(row: Row): Html {
  return html` id="${row.id}" name="${row.name}"${row.isRequired && html` required`}${described(row)}${invalid(row)}`
}

function attribute(name: "min" | "max" | "minlength", value: number | undefined): Html | false {
  return value !== undefined && html` ${name}="${value}"`
}

/**
 * Whether the text needs a textarea. `maxlength` is not set, because browsers count characters differently than core.
 */
function isLong({ maxLength = 0 }: TextField, value: string): boolean {
  return maxLength > 200 || value.length > 80 || value.includes("\n")
}

function hasEmpty(options: readonly Option[]): boolean {
  return options.some((option) => option.const === "")
}
