// Builds a form from a JSON Schema, for a tool's arguments and for what a server asks.

import { h, newId } from "./dom.ts"

export type Schema = Readonly<Record<string, unknown>>

export interface Fields {
  readonly element: HTMLElement
  /** Undefined when a value is missing or invalid; the browser has then shown the error. */
  read(): Readonly<Record<string, unknown>> | undefined
}

interface Field {
  readonly element: HTMLElement
  /** Undefined omits the field. Throws an error with the message to show when the input is invalid. */
  value(): unknown
  readonly control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | undefined
}

interface FieldSpec {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

export function createFields(schema: Schema): Fields {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const fields = properties.map(([name, one]) => ({
    name,
    ...createField({ name, schema: one, isRequired: required.has(name) }),
  }))
  return {
    element: h("div", { class: "fields" }, ...fields.map(({ element }) => element)),
    read() {
      const values: Record<string, unknown> = {}
      for (const { name, value, control } of fields) {
        control?.setCustomValidity("")
        try {
          const given = value()
          if (given !== undefined) values[name] = given
        } catch (error) {
          control?.setCustomValidity(error instanceof Error ? error.message : String(error))
        }
        if (control?.reportValidity() === false) return undefined
      }
      return values
    },
  }
}

function createField(spec: FieldSpec): Field {
  const type = typeOf(spec.schema)
  const options = optionsOf(spec.schema)
  if (type === "boolean") return spec.isRequired || "default" in spec.schema ? checkbox(spec) : optionalBoolean(spec)
  if (options !== undefined) return select(spec, options)
  if (type === "integer" || type === "number") return numeric(spec, type)
  if (type === "string") return text(spec)
  if (type !== "array") return json(spec)
  const items = (spec.schema.items ?? {}) as Schema
  const several = optionsOf(items)
  if (several !== undefined) return choices(spec, several)
  const one = typeOf(items)
  return one === "string" || one === "integer" || one === "number" ? lines(spec, one) : json(spec)
}

/** The first type that is not null. */
function typeOf({ type }: Schema): unknown {
  return Array.isArray(type) ? type.find((one) => one !== "null") : type
}

type Options = readonly (readonly [value: string, words: string])[]

function optionsOf(schema: Schema): Options | undefined {
  const titled = schema.oneOf ?? schema.anyOf
  if (Array.isArray(titled) && titled.every((one) => typeof one?.const === "string"))
    return titled.map(({ const: value, title }) => [value, title ?? value])
  if (!Array.isArray(schema.enum)) return undefined
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
  return schema.enum.map((value, at) => [String(value), String(names[at] ?? value)])
}

function checkbox({ name, schema }: FieldSpec): Field {
  const id = newId(name)
  const input = h("input", { type: "checkbox", id, checked: schema.default === true })
  const label = h("label", { for: id }, titleOf(name, schema))
  const element = h("div", { class: "field" }, h("div", { class: "tick" }, input, label), hint(schema))
  return { element, control: input, value: () => input.checked }
}

/** An optional boolean: without a choice the field is omitted. */
function optionalBoolean(spec: FieldSpec): Field {
  const { value, ...field } = select(spec, [
    ["yes", "yes"],
    ["no", "no"],
  ])
  return {
    ...field,
    value() {
      const chosen = value()
      return chosen === undefined ? undefined : chosen === "yes"
    },
  }
}

function select(spec: FieldSpec, options: Options): Field {
  const { schema, isRequired } = spec
  const empty = isRequired ? "Choose" : "—"
  const choices: Options = schema.default === undefined ? [["", empty], ...options] : options
  const input = h(
    "select",
    { required: isRequired },
    ...choices.map(([value, words]) => h("option", { value, selected: value === schema.default }, words)),
  )
  return labelled(spec, input, () => (input.value === "" ? undefined : input.value))
}

function numeric(spec: FieldSpec, type: "integer" | "number"): Field {
  const { schema, isRequired } = spec
  const { minimum, maximum } = schema as { readonly minimum?: number; readonly maximum?: number }
  const step = type === "integer" ? 1 : "any"
  const input = h("input", { type: "number", step, min: minimum, max: maximum, required: isRequired })
  input.value = defaultOf(schema)
  return labelled(spec, input, () => (input.value === "" ? undefined : input.valueAsNumber))
}

const inputTypes: Readonly<Record<string, string>> = { email: "email", uri: "url", date: "date" }
/** Names of fields that get a text area. A required one may still be empty. */
const isLong = /^(content|body|description|message|text|note|instructions)$/

function text(spec: FieldSpec): Field {
  const { name, schema, isRequired } = spec
  const { minLength, maxLength, pattern, format } = schema as Readonly<Record<string, string | number | undefined>>
  const limits = {
    minlength: minLength,
    maxlength: maxLength,
    required: isRequired && (!isLong.test(name) || (minLength ?? 0) !== 0),
  }
  const type = inputTypes[String(format)] ?? "text"
  const input = isLong.test(name)
    ? h("textarea", { rows: 4, ...limits })
    : h("input", { type, ...limits, pattern, spellcheck: "false", autocomplete: "off" })
  input.value = defaultOf(schema)
  return labelled(spec, input, () => (input.value === "" && !isRequired ? undefined : input.value))
}

function lines(spec: FieldSpec, type: "string" | "integer" | "number"): Field {
  const input = h("textarea", { rows: 3, required: spec.isRequired })
  const value = (): unknown => {
    const given = input.value.split("\n").filter((line) => line.trim() !== "")
    if (given.length === 0 && !spec.isRequired) return undefined
    if (type === "string") return given
    const numbers = given.map(Number)
    if (numbers.some(Number.isNaN)) throw new Error("Write one number on each line.")
    return numbers
  }
  return labelled(spec, input, value, "One on each line.")
}

function choices({ name, schema, isRequired }: FieldSpec, options: Options): Field {
  const preset = new Set(Array.isArray(schema.default) ? schema.default : [])
  const boxes = options.map(([value, words]) => {
    const id = newId(name)
    const input = h("input", { type: "checkbox", id, checked: preset.has(value) })
    return { value, input, element: h("div", { class: "tick" }, input, h("label", { for: id }, words)) }
  })
  const rows = h("div", { class: "options" }, ...boxes.map(({ element }) => element))
  const element = h("fieldset", { class: "field" }, h("legend", {}, titleOf(name, schema)), hint(schema), rows)
  const value = () => {
    const chosen = boxes.filter(({ input }) => input.checked).map((box) => box.value)
    return chosen.length === 0 && !isRequired ? undefined : chosen
  }
  return { element, control: undefined, value }
}

function json(spec: FieldSpec): Field {
  const input = h("textarea", { rows: 4, required: spec.isRequired, spellcheck: "false", class: "code-like" })
  const value = (): unknown => {
    if (input.value.trim() === "") return undefined
    try {
      return JSON.parse(input.value)
    } catch {
      throw new Error("This is not valid JSON.")
    }
  }
  return labelled(spec, input, value, "As JSON.")
}

function labelled(
  { name, schema, isRequired }: FieldSpec,
  control: NonNullable<Field["control"]>,
  value: Field["value"],
  more?: string,
): Field {
  control.id = newId(name)
  const said = hint(schema, more)
  if (said !== undefined) {
    said.id = `${control.id}-hint`
    control.setAttribute("aria-describedby", said.id)
  }
  const optional = isRequired ? undefined : h("span", { class: "optional" }, "optional")
  const label = h("label", { for: control.id }, titleOf(name, schema))
  return { element: h("div", { class: "field" }, label, optional, said, control), control, value }
}

const titleOf = (name: string, { title }: Schema): string => (typeof title === "string" ? title : name)

function hint({ description }: Schema, more?: string): HTMLElement | undefined {
  const said = [description, more].filter((one) => typeof one === "string" && one !== "")
  const words = said.join(/[.!?]$/.test(String(description)) ? " " : ". ")
  return words === "" ? undefined : h("p", { class: "hint" }, words)
}

const defaultOf = ({ default: usual }: Schema): string =>
  typeof usual === "string" || typeof usual === "number" ? String(usual) : ""
