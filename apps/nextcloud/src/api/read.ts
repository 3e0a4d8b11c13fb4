// Reads JSON from a server: takes each value by name and type, and throws an error that names what is missing or wrong.

import { nextcloudError } from "./error.ts"

/** Typed access to one JSON object of a response. */
export interface Fields {
  readonly raw: Readonly<Record<string, unknown>>
  text(name: string): string
  number(name: string): number
  flag(name: string): boolean
  /** The text, or undefined when it is missing, null or "". */
  maybeText(name: string): string | undefined
  maybeNumber(name: string): number | undefined
  maybeFlag(name: string): boolean | undefined
  object(name: string): Fields
  maybeObject(name: string): Fields | undefined
  list(name: string): readonly unknown[]
  objects(name: string): readonly Fields[]
}

/** Wraps a JSON object. `activity` appears in errors: “reading the note 5”. */
export function fieldsOf(value: unknown, activity: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unexpectedType(activity, "an object", value)
  const raw = value as Readonly<Record<string, unknown>>
  // Names may come from outside: “constructor” counts only when the server sent it.
  const memberOf = (name: string): unknown => (Object.hasOwn(raw, name) ? raw[name] : undefined)
  const toMissingError = (name: string, kind: string) =>
    unexpectedType(activity, `${kind} under “${name}”`, memberOf(name))
  const self: Fields = {
    raw,
    text(name) {
      const member = memberOf(name)
      if (typeof member === "string") return member
      if (typeof member === "number") return String(member)
      throw toMissingError(name, "a text")
    },
    number(name) {
      const value = self.maybeNumber(name)
      if (value !== undefined) return value
      throw toMissingError(name, "a number")
    },
    flag(name) {
      const value = self.maybeFlag(name)
      if (value !== undefined) return value
      throw toMissingError(name, "true or false")
    },
    maybeText(name) {
      const member = memberOf(name)
      return member === undefined || member === null || member === "" ? undefined : self.text(name)
    },
    maybeNumber(name) {
      const member = memberOf(name)
      if (member === undefined || member === null || member === "") return undefined
      const value = typeof member === "string" ? Number(member) : member
      if (typeof value === "number" && Number.isFinite(value)) return value
      throw toMissingError(name, "a number")
    },
    maybeFlag(name) {
      const member = memberOf(name)
      if (typeof member === "boolean") return member
      // PHP apps write booleans in any of these forms.
      if (member === 1 || member === "1" || member === "true") return true
      if (member === 0 || member === "0" || member === "false") return false
      if (member === undefined || member === null) return undefined
      throw toMissingError(name, "true or false")
    },
    object(name) {
      const value = self.maybeObject(name)
      if (value !== undefined) return value
      throw toMissingError(name, "an object")
    },
    maybeObject(name) {
      const member = memberOf(name)
      // PHP writes an empty object as an empty list.
      if (member === undefined || member === null || (Array.isArray(member) && member.length === 0)) return undefined
      return fieldsOf(member, activity)
    },
    list(name) {
      const member = memberOf(name)
      if (member === undefined || member === null) return []
      if (Array.isArray(member)) return member
      // PHP writes a list whose keys are not 0, 1, 2 … as an object.
      if (typeof member === "object") return Object.values(member)
      throw toMissingError(name, "a list")
    },
    objects: (name) => self.list(name).map((item) => fieldsOf(item, activity)),
  }
  return self
}

export function objectsOf(value: unknown, activity: string): readonly Fields[] {
  const items = Array.isArray(value) ? value : valuesOfNumberedObject(value)
  if (items === undefined) throw unexpectedType(activity, "a list", value)
  return items.map((item) => fieldsOf(item, activity))
}

/**
 * The values of a PHP list that arrives as {"1": …, "4": …}, because some were removed. Undefined for other objects.
 */
function valuesOfNumberedObject(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}

function unexpectedType(activity: string, expected: string, value: unknown): Error {
  const kind = value === null || value === undefined ? "nothing" : Array.isArray(value) ? "a list" : typeof value
  return nextcloudError("malformed", { activity, detail: `expected ${expected}, found ${kind}` })
}
