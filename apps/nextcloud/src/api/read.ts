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

/** Wraps a JSON object. `doing` appears in errors: “reading the note 5”. */
export function fieldsOf(value: unknown, doing: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unexpectedType(doing, "an object", value)
  const raw = value as Readonly<Record<string, unknown>>
  // Names may come from outside: “constructor” counts only when the server sent it.
  const memberOf = (name: string): unknown => (Object.hasOwn(raw, name) ? raw[name] : undefined)
  const missing = (name: string, kind: string) => unexpectedType(doing, `${kind} under “${name}”`, memberOf(name))
  const self: Fields = {
    raw,
    text(name) {
      const found = memberOf(name)
      if (typeof found === "string") return found
      if (typeof found === "number") return String(found)
      throw missing(name, "a text")
    },
    number(name) {
      const found = self.maybeNumber(name)
      if (found !== undefined) return found
      throw missing(name, "a number")
    },
    flag(name) {
      const found = self.maybeFlag(name)
      if (found !== undefined) return found
      throw missing(name, "true or false")
    },
    maybeText(name) {
      const found = memberOf(name)
      return found === undefined || found === null || found === "" ? undefined : self.text(name)
    },
    maybeNumber(name) {
      const found = memberOf(name)
      if (found === undefined || found === null || found === "") return undefined
      const value = typeof found === "string" ? Number(found) : found
      if (typeof value === "number" && Number.isFinite(value)) return value
      throw missing(name, "a number")
    },
    maybeFlag(name) {
      const found = memberOf(name)
      if (typeof found === "boolean") return found
      // PHP apps write booleans in any of these forms.
      if (found === 1 || found === "1" || found === "true") return true
      if (found === 0 || found === "0" || found === "false") return false
      if (found === undefined || found === null) return undefined
      throw missing(name, "true or false")
    },
    object(name) {
      const found = self.maybeObject(name)
      if (found !== undefined) return found
      throw missing(name, "an object")
    },
    maybeObject(name) {
      const found = memberOf(name)
      // PHP writes an empty object as an empty list.
      if (found === undefined || found === null || (Array.isArray(found) && found.length === 0)) return undefined
      return fieldsOf(found, doing)
    },
    list(name) {
      const found = memberOf(name)
      if (found === undefined || found === null) return []
      if (Array.isArray(found)) return found
      // PHP writes a list whose keys are not 0, 1, 2 … as an object.
      if (typeof found === "object") return Object.values(found)
      throw missing(name, "a list")
    },
    objects: (name) => self.list(name).map((one) => fieldsOf(one, doing)),
  }
  return self
}

export function objectsOf(value: unknown, doing: string): readonly Fields[] {
  const all = Array.isArray(value) ? value : numbered(value)
  if (all === undefined) throw unexpectedType(doing, "a list", value)
  return all.map((one) => fieldsOf(one, doing))
}

/** The values of a PHP list from which some were removed, which arrives as {"1": …, "4": …}. */
function numbered(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined
}

function unexpectedType(doing: string, expected: string, found: unknown): Error {
  const kind = found === null || found === undefined ? "nothing" : Array.isArray(found) ? "a list" : typeof found
  return nextcloudError("malformed", { doing, detail: `expected ${expected}, found ${kind}` })
}
