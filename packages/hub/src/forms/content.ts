// Converts between a form's values and what a browser posts. Validates nothing: the hub does, with core.

import type { Field, Form } from "../core/form.ts"
import { kindOf, optionsOf, withDefaults } from "../core/form.ts"

/** What a browser posts: FormData or URLSearchParams. */
export interface Posted {
  get(name: string): unknown
  getAll(name: string): readonly unknown[]
}

/** The value that an input shows. A date-time is shown without an offset. */
export type FieldValue = string | boolean | readonly string[]

/** `local`: the time zone in which this program runs, for a page that is built in the person's browser. */
export type Times = "local" | "utc"

/** The posted name of a field. The prefix keeps fields apart from our own parameters, such as `csrf`. */
export const postedName = (name: string): string => `field.${name}`

/** The posted name of a date-time's offset: `+02:00`, `Z`, or `local` when the program that reads it knows the zone. */
export const offsetName = (name: string): string => `offset.${name}`

/**
 * Reads the content of an answer from a FormData or from what was posted. Empty fields are left out; a value of the
 * wrong type stays text, so that validation reports it.
 */
export function readContent(form: Form, posted: Posted): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(form.properties).flatMap(([name, field]) => {
      const value = toValue(field, name, form.required?.includes(name) ?? false, posted)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The values that the inputs show: what was given before, or the form's defaults. */
export function toValues(
  form: Form,
  content: Readonly<Record<string, unknown>> = withDefaults(form),
  times: Times = "utc",
): Readonly<Record<string, FieldValue>> {
  return Object.fromEntries(
    Object.entries(form.properties).map(([name, field]) => [
      name,
      toShown(field, Object.hasOwn(content, name) ? content[name] : undefined, times),
    ]),
  )
}

function toValue(field: Field, name: string, isRequired: boolean, posted: Posted): unknown {
  const text = textOf(posted.get(postedName(name)))
  switch (kindOf(field)) {
    case "boolean":
      return toBoolean(posted.get(postedName(name)), text)
    case "choices": {
      const ticked = posted.getAll(postedName(name)).map((value) => toOption(field, textOf(value)))
      return ticked.length === 0 && !isRequired ? undefined : ticked
    }
    case "choice":
      return posted.get(postedName(name)) === null ? undefined : toChoice(field, text)
    case "number":
    case "integer":
      return toNumber(text.trim())
    case "text":
      return toText(field, text, textOf(posted.get(offsetName(name))))
  }
}

/** An empty value means no choice, unless it is one of the options. */
function toChoice(field: Field, text: string): string | undefined {
  return text !== "" || optionsOf(field)?.some((option) => option.const === "") ? toOption(field, text) : undefined
}

/** Finds the option despite the line breaks that browsers normalise. */
function toOption(field: Field, text: string): string {
  return optionsOf(field)?.find((option) => oneBreak(option.const) === text)?.const ?? text
}

/** A box that is not ticked posts nothing and means no. The option “No answer” posts an empty text. */
function toBoolean(fieldValue: unknown, text: string): boolean | undefined {
  if (typeof fieldValue === "string" && text === "") return undefined
  return text !== "" && text !== "no"
}

function toNumber(digits: string): number | string | undefined {
  if (digits === "") return undefined
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) ? Number(digits) : digits
}

function toText(field: Field, text: string, offset: string): string | undefined {
  const format = "format" in field ? field.format : undefined
  const value = format === undefined ? text : text.trim()
  if (value === "") return undefined
  return format === "date-time" ? withOffset(value, offset) : value
}

const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/

function withOffset(value: string, offset: string): string {
  const [match, seconds] = localTime.exec(value) ?? []
  if (match === undefined) return value
  const zoneOffset = offset === "local" ? offsetAt(value) : offset
  const zone = /^[+-]\d{2}:\d{2}$/.test(zoneOffset) ? zoneOffset : "Z"
  return `${value}${seconds === undefined ? ":00" : ""}${zone}`
}

/** The UTC offset, such as `+02:00`, that this program's time zone has at a local time. */
function offsetAt(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset()
  const pad = (part: number): string => String(Math.floor(Math.abs(part))).padStart(2, "0")
  return `${minutes < 0 ? "-" : "+"}${pad(minutes / 60)}:${pad(minutes % 60)}`
}

function toShown(field: Field, value: unknown, times: Times): FieldValue {
  if (field.type === "boolean") return value === undefined && field.default === undefined ? "" : value === true
  if (field.type === "array") return Array.isArray(value) ? value.map(String) : []
  if (value === undefined || value === null) return ""
  return "format" in field && field.format === "date-time" ? toTimeInput(String(value), times) : String(value)
}

/** The format of a datetime-local input: no offset, and no seconds when they are zero. */
function toTimeInput(value: string, times: Times): string {
  const time = Date.parse(value)
  if (Number.isNaN(time)) return value
  const offsetMs = times === "local" ? new Date(time).getTimezoneOffset() * 60_000 : 0
  return new Date(time - offsetMs).toISOString().replace(/(:00)?\.000Z$|Z$/, "")
}

/** The posted text. Browsers post line breaks as CR LF. */
function textOf(value: unknown): string {
  return typeof value === "string" ? oneBreak(value) : ""
}

const oneBreak = (text: string): string => text.replace(/\r\n?/g, "\n")
