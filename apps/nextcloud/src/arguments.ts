// Checks a tool's arguments against its schema before the tool runs. Values with an obvious meaning are converted, such
// as “680” for a number. For any other wrong value, the error tells the model what to fix.

import { nearest } from "@holdpoint/hub/forms"
import { nextcloudError } from "./api/error.ts"
import type { Json, Tool } from "./tool.ts"

export async function checkArguments(tool: Pick<Tool, "name" | "input">, rawValue: unknown): Promise<object> {
  const activity = `calling ${tool.name}`
  return readValue(rawValue ?? {}, tool.input.json, { activity, name: "" }) as object
}

interface ArgumentPath {
  readonly activity: string
  /** The path of the argument, such as “attendees[0].email”; "" for the whole arguments object. */
  readonly name: string
}

function readValue(rawValue: unknown, schema: Json, path: ArgumentPath): unknown {
  const types = [schema.type].flat().filter((type) => typeof type === "string")
  const value = convert(rawValue, types)
  assertWellFormed(value, path)
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    throw toInvalidArgumentError(
      path,
      `must be ${types.map((type) => typeWords[type]).join(" or ")}, not ${inWords(value)}`,
    )
  if (typeof value === "string") assertText(value, schema, path)
  if (typeof value === "number") assertNumber(value, schema, path)
  if (Array.isArray(value)) return readList(value, schema, path)
  if (typeof value === "object" && value !== null) return readObject(value, schema, path)
  return value
}

/** Converts a value of another type when its meaning is obvious. */
function convert(rawValue: unknown, types: readonly string[]): unknown {
  if (types.length === 0 || types.some((type) => isOfType(rawValue, type))) return rawValue
  const allows = (type: string): boolean => types.includes(type)
  if (typeof rawValue === "number" && allows("string")) return String(rawValue)
  if (allows("array") && !Array.isArray(rawValue))
    return typeof rawValue === "string" ? (parseJsonText(rawValue) ?? [rawValue]) : rawValue
  if (typeof rawValue !== "string") return rawValue
  const text = rawValue.trim()
  if ((allows("integer") || allows("number")) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (allows("boolean") && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true"
  return allows("object") ? (parseJsonText(rawValue) ?? rawValue) : rawValue
}

/** Parses a list or an object that a client sent as JSON text. Returns undefined for any other text. */
function parseJsonText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null
  if (type === "array") return Array.isArray(value)
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value)
  if (type === "integer") return Number.isSafeInteger(value)
  return typeof value === type
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
}

function inWords(value: unknown): string {
  if (value === null) return "null"
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object"
  const text = String(value)
  return `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`
}

function assertWellFormed(value: unknown, path: ArgumentPath): void {
  if (typeof value !== "string" || value.isWellFormed()) return
  const because = `there is an incomplete character (a lone surrogate) in ${path.name === "" ? "it" : path.name}`
  throw nextcloudError("invalid", {
    activity: path.activity,
    because,
    advice: "Send the text again with complete characters.",
  })
}

function assertText(value: string, schema: Json, path: ArgumentPath): void {
  const { enum: choices, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format, description } = schema
  if (Array.isArray(choices) && !choices.includes(value))
    throw toInvalidArgumentError(path, `must be one of ${choices.join(", ")}, not ${inWords(value)}`)
  const length = [...value].length
  if (length < Number(minLength)) throw toInvalidArgumentError(path, "must not be empty")
  if (length > Number(maxLength))
    throw toInvalidArgumentError(path, `must have at most ${maxLength} characters, not ${length}`)
  const fitsFormat = format !== "date-time" || dateTimePattern.test(value)
  if (fitsFormat && (typeof pattern !== "string" || new RegExp(pattern, "u").test(value))) return
  const example = typeof description === "string" ? `: ${description}` : ""
  throw toInvalidArgumentError(path, `has the wrong form: ${inWords(value)}${example}`)
}

const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i

function assertNumber(value: number, { minimum, maximum }: Json, path: ArgumentPath): void {
  if (typeof minimum === "number" && value < minimum)
    throw toInvalidArgumentError(path, `must be at least ${minimum}, not ${value}`)
  if (typeof maximum === "number" && value > maximum)
    throw toInvalidArgumentError(path, `must be at most ${maximum}, not ${value}`)
}

function readList(rawValue: readonly unknown[], { items, maxItems }: Json, path: ArgumentPath): readonly unknown[] {
  if (typeof maxItems === "number" && rawValue.length > maxItems)
    throw toInvalidArgumentError(path, `must have at most ${maxItems} entries, not ${rawValue.length}`)
  return rawValue.map((item, index) =>
    readValue(item, (items ?? {}) as Json, { ...path, name: `${path.name}[${index}]` }),
  )
}

function readObject(rawValue: object, schema: Json, path: ArgumentPath): object {
  const properties = schema.properties as Readonly<Record<string, Json>> | undefined
  const requiredNames = (schema.required ?? []) as readonly string[]
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(rawValue)) {
    if (properties !== undefined && !Object.hasOwn(properties, name)) throw toUnknownNameError(name, properties, path)
    const propertySchema = properties?.[name] ?? ((schema.additionalProperties ?? {}) as Json)
    // Some clients send null for omitted arguments.
    const isLeftOut =
      value === null && propertySchema.type !== undefined && ![propertySchema.type].flat().includes("null")
    if (value === undefined || (isLeftOut && !requiredNames.includes(name))) continue
    entries.push([name, readValue(value, propertySchema, childPath(path, name))])
  }
  const missingName = requiredNames.find((name) => !entries.some(([known]) => known === name))
  if (missingName !== undefined) throw toInvalidArgumentError(childPath(path, missingName), "must be given")
  return Object.fromEntries(entries)
}

const childPath = (path: ArgumentPath, name: string): ArgumentPath => ({
  ...path,
  name: path.name === "" ? name : `${path.name}.${name}`,
})

const toInvalidArgumentError = ({ activity, name }: ArgumentPath, problem: string): Error =>
  nextcloudError("invalid", {
    activity,
    because: `${name === "" ? "the arguments object" : `\`${name}\``} ${problem}`,
    advice: "Fix the arguments and call again.",
  })

function toUnknownNameError(name: string, properties: object, { activity, name: parentName }: ArgumentPath): Error {
  const names = Object.keys(properties)
  const nearestName = nearest(name, names)
  const advice =
    nearestName === undefined ? `The arguments are: ${names.join(", ") || "none"}.` : `Did you mean “${nearestName}”?`
  const because = `there is no argument “${name}”${parentName === "" ? "" : ` in ${parentName}`}`
  return nextcloudError("invalid", { activity, because, advice })
}
