// Builds a form from a JSON Schema, for the arguments of a tool and for elicitations. Fields that an elicitation may
// have look like those of the library's pages; JSON fields and lists of lines exist only in the panel.

import type { Field } from "@holdpoint/hub/forms"
import { fieldNodes, readContent, toElements } from "@holdpoint/hub/forms"
import { h, newId } from "./dom.ts"
import { toField } from "./flat-field.ts"

export type Schema = Readonly<Record<string, unknown>>

export interface Fields {
  readonly element: HTMLElement
  /** The values. Undefined when a value is missing or invalid: the browser shows the error. */
  read(): Readonly<Record<string, unknown>> | undefined
}

interface Row {
  readonly elements: readonly HTMLElement[]
  /** The value of the field. Undefined omits the field. */
  value(form: HTMLFormElement): unknown
}

interface FieldSpec {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
}

/** Creates the fields. The caller must put the element into a form. */
export function createFields(schema: Schema): Fields {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const rows = properties.map(([name, property]): readonly [string, Row] => {
    const spec = { name, schema: property, isRequired: required.has(name) }
    const field = toField(property)
    return [name, field === undefined ? textareaRow(spec) : flatRow(spec, field)]
  })
  const element = h("div", { class: "fields" }, ...rows.flatMap(([, { elements }]) => elements))
  return {
    element,
    read() {
      const form = element.closest("form")
      if (form === null) throw new Error("The fields are not in a form.")
      const values = rows.map(([name, { value }]) => [name, value(form)] as const)
      if (!form.reportValidity()) return undefined
      return Object.fromEntries(values.filter(([, value]) => value !== undefined))
    },
  }
}

function flatRow({ name, isRequired }: FieldSpec, field: Field): Row {
  const required = isRequired ? [name] : []
  const form = { type: "object", properties: { [name]: field }, required } as const
  const elements = toElements(fieldNodes({ prefix: newId(name), form }), document)
  // An empty text is a valid argument of a tool, for example for a note without content.
  const isRequiredText = isRequired && field.type === "string" && !("enum" in field || "oneOf" in field)
  const textareas = elements.flatMap((element) => [...element.querySelectorAll("textarea")])
  const mayBeEmpty = isRequiredText && textareas.length > 0 && !("minLength" in field && (field.minLength ?? 0) > 0)
  if (mayBeEmpty) {
    for (const area of textareas) area.required = false
    for (const element of elements) element.querySelector(".required")?.remove()
  }
  return {
    elements,
    value: (container) => readContent(form, new FormData(container))[name] ?? (mayBeEmpty ? "" : undefined),
  }
}

function textareaRow(spec: FieldSpec): Row {
  const { type, items } = spec.schema as { readonly type?: unknown; readonly items?: Schema }
  const itemType = type === "array" ? items?.type : undefined
  return itemType === "string" || itemType === "integer" || itemType === "number"
    ? linesRow(spec, itemType)
    : jsonRow(spec)
}

function linesRow(spec: FieldSpec, type: "string" | "integer" | "number"): Row {
  const input = h("textarea", { rows: 3, required: spec.isRequired })
  const read = (): unknown => {
    const lines = input.value.split("\n").filter((line) => line.trim() !== "")
    if (lines.length === 0 && !spec.isRequired) return undefined
    if (type === "string") return lines
    const numbers = lines.map(Number)
    if (numbers.some(Number.isNaN)) throw new Error("Write one number on each line.")
    return numbers
  }
  return toLabelledRow(spec, { input, read, formatHint: "One on each line." })
}

function jsonRow(spec: FieldSpec): Row {
  const input = h("textarea", { rows: 4, required: spec.isRequired, spellcheck: "false", class: "code-like" })
  const read = (): unknown => {
    if (input.value.trim() === "") return undefined
    try {
      return JSON.parse(input.value)
    } catch {
      throw new Error("This is not valid JSON.")
    }
  }
  return toLabelledRow(spec, { input, read, formatHint: "As JSON." })
}

/** A control for JSON or for lines. */
interface OwnControl {
  readonly input: HTMLTextAreaElement
  /** Throws an error with the message to show when the input is invalid. */
  read(): unknown
  readonly formatHint: string
}

function toLabelledRow({ name, schema, isRequired }: FieldSpec, { input, read, formatHint }: OwnControl): Row {
  const { title, description } = schema as { readonly title?: string; readonly description?: string }
  const id = newId(name)
  const hints = [description, formatHint].filter((one) => one !== undefined && one !== "")
  const hint = h("p", { class: "hint", id: `${id}-hint` }, hints.join(/[.!?]$/.test(String(description)) ? " " : ". "))
  input.id = id
  input.setAttribute("aria-describedby", hint.id)
  const mark = isRequired
    ? h("span", { class: "required", "aria-hidden": "true" }, "*")
    : h("span", { class: "optional" }, "optional")
  const value = (): unknown => {
    input.setCustomValidity("")
    try {
      return read()
    } catch (error) {
      input.setCustomValidity(error instanceof Error ? error.message : String(error))
      return undefined
    }
  }
  const label = h("label", { for: id }, title ?? name, " ", mark)
  return { elements: [h("div", { class: "field" }, label, hint, input)], value }
}
