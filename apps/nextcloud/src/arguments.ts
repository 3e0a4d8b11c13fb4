// Checks a tool's arguments against its schema before the tool runs. Values with an obvious meaning are converted, such
// as “680” for a number. For any other wrong value, the error tells the model what to fix.

import { nearest } from "@holdpoint/sdk/forms"
import { nextcloudError } from "./api/error.ts"
import type { Json, Tool } from "./tool.ts"

export async function checkArguments(tool: Pick<Tool, "name" | "input">, rawValue: unknown): Promise<object> {
  const doing = `calling ${tool.name}`
  return readValue(rawValue ?? {}, tool.input.json, { doing, name: "" }) as object
}

interface ArgumentPath {
  readonly doing: string
  /** The path of the argument, such as “attendees[0].email”; "" for the whole arguments object. */
  readonly name: string
}

function readValue(rawValue: unknown, schema: Json, path: ArgumentPath): unknown {
  const types = [schema.type].flat().filter((type) => typeof type === "string")
  const value = converted(rawValue, types)
  assertWhole(value, path)
  if (types.length > 0 && !types.some((type) => isOf(value, type)))
    throw invalidArgument(path, `must be ${types.map((type) => typeWords[type]).join(" or ")}, not ${inWords(value)}`)
  if (typeof value === "string") assertText(value, schema, path)
  if (typeof value === "number") assertNumber(value, schema, path)
  if (Array.isArray(value)) return readList(value, schema, path)
  if (typeof value === "object" && value !== null) return readObject(value, schema, path)
  return value
}

/** Converts a value of another type when its meaning is obvious. */
function converted(rawValue: unknown, types: readonly string[]): unknown {
  if (types.length === 0 || types.some((type) => isOf(rawValue, type))) return rawValue
  const has = (type: string): boolean => types.includes(type)
  if (typeof rawValue === "number" && has("string")) return String(rawValue)
  if (has("array") && !Array.isArray(rawValue))
    return typeof rawValue === "string" ? (parsed(rawValue) ?? [rawValue]) : rawValue
  if (typeof rawValue !== "string") return rawValue
  const text = rawValue.trim()
  if ((has("integer") || has("number")) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (has("boolean") && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true"
  return has("object") ? (parsed(rawValue) ?? rawValue) : rawValue
}

/** Parses a list or an object that a client sent as text. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

function isOf(value: unknown, type: string): boolean {
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

function assertWhole(value: unknown, path: ArgumentPath): void {
  if (typeof value !== "string" || value.isWellFormed()) return
  const because = `there is an incomplete character (a lone surrogate) in ${path.name === "" ? "it" : path.name}`
  throw nextcloudError("invalid", {
    doing: path.doing,
    because,
    advice: "Send the text again with complete characters.",
  })
}

function assertText(value: string, schema: Json, path: ArgumentPath): void {
  const { enum: choices, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format, description } = schema
  if (Array.isArray(choices) && !choices.includes(value))
    throw invalidArgument(path, `must be one of ${choices.join(", ")}, not ${inWords(value)}`)
  const length = [...value].length
  if (length < Number(minLength)) throw invalidArgument(path, "must not be empty")
  if (length > Number(maxLength))
    throw invalidArgument(path, `must have at most ${maxLength} characters, not ${length}`)
  const isTime = format !== "date-time" || isDateTime.test(value)
  if (isTime && (typeof pattern !== "string" || new RegExp(pattern, "u").test(value))) return
  const example = typeof description === "string" ? `: ${description}` : ""
  throw invalidArgument(path, `has the wrong form: ${inWords(value)}${example}`)
}

const isDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i

function assertNumber(value: number, { minimum, maximum }: Json, path: ArgumentPath): void {
  if (typeof minimum === "number" && value < minimum)
    throw invalidArgument(path, `must be at least ${minimum}, not ${value}`)
  if (typeof maximum === "number" && value > maximum)
    throw invalidArgument(path, `must be at most ${maximum}, not ${value}`)
}

function readList(rawValue: readonly unknown[], { items, maxItems }: Json, path: ArgumentPath): readonly unknown[] {
  if (typeof maxItems === "number" && rawValue.length > maxItems)
    throw invalidArgument(path, `must have at most ${maxItems} entries, not ${rawValue.length}`)
  return rawValue.map((one, index) =>
    readValue(one, (items ?? {}) as Json, { ...path, name: `${path.name}[${index}]` }),
  )
}

function readObject(rawValue: object, schema: Json, path: ArgumentPath): object {
  const properties = schema.properties as Readonly<Record<string, Json>> | undefined
  const required = (schema.required ?? []) as readonly string[]
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(rawValue)) {
    if (properties !== undefined && !Object.hasOwn(properties, name)) throw unknownName(name, properties, path)
    const own = properties?.[name] ?? ((schema.additionalProperties ?? {}) as Json)
    // Some clients send null for omitted arguments.
    const isLeftOut = value === null && own.type !== undefined && ![own.type].flat().includes("null")
    if (value === undefined || (isLeftOut && !required.includes(name))) continue
    entries.push([name, readValue(value, own, within(path, name))])
  }
  const missing = required.find((name) => !entries.some(([known]) => known === name))
  if (missing !== undefined) throw invalidArgument(within(path, missing), "must be given")
  return Object.fromEntries(entries)
}

const within = (path: ArgumentPath, name: string): ArgumentPath => ({
  ...path,
  name: path.name === "" ? name : `${path.name}.${name}`,
})

const invalidArgument = ({ doing, name }: ArgumentPath, problem: string): Error =>
  nextcloudError("invalid", {
    doing,
    because: `${name === "" ? "the arguments object" : `\`${name}\``} ${problem}`,
    advice: "Fix the arguments and call again.",
  })

function unknownName(name: string, properties: object, { doing, name: inside }: ArgumentPath): Error {
  const names = Object.keys(properties)
  const near = nearest(name, names)
  const advice = near === undefined ? `The arguments are: ${names.join(", ") || "none"}.` : `Did you mean “${near}”?`
  const because = `there is no argument “${name}”${inside === "" ? "" : ` in ${inside}`}`
  return nextcloudError("invalid", { doing, because, advice })
}
