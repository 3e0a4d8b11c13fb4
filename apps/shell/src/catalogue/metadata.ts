// The metadata of a script: read from JSON, field by field, with a message for every problem. Pure.

import { nearest } from "@holdpoint/hub/forms"
import { isObject } from "../json.ts"
import type { ShellTool } from "../tool.ts"

/** The part of a tool that comes from its metadata. */
export type DescribedTool = Omit<ShellTool, "program" | "folder" | "root" | "metadata">

/** What is wrong with a member of the metadata. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
  readonly suggestion?: string
}

type Fields = Readonly<Record<string, unknown>>

/** The names that are used when the metadata has none. */
export interface Defaults {
  readonly name: string
  readonly description: string
}

/** Reads a tool from its metadata. Ignores unknown members, except in our own `holdpoint`, where they are problems. */
export function describe(
  fields: Fields,
  defaults: Defaults,
): { readonly tool: DescribedTool; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const read = <T>(field: string, type: FieldType<T>, source: Fields = fields): T | undefined => {
    const value = source[field.split(".").at(-1) ?? field]
    // Other servers treat null as absent.
    if (value === undefined || value === null) return undefined
    const fieldValue = type.read(value)
    if (fieldValue === undefined) problems.push({ field, message: `must be ${type.expected}.` })
    return fieldValue
  }
  const name = read("name", text) ?? defaults.name
  if (!namePattern.test(name)) problems.push(toWrongNameProblem(name, fields.name === undefined))
  const ownFields = read("holdpoint", object) ?? {}
  problems.push(...unknownFieldsIn(ownFields))
  const inputSchema = read("inputSchema", schema) ?? read("arguments", schema) ?? { type: "object" }
  const readDuration = (field: string, source?: Fields) => read(field, duration, source)
  const tool: DescribedTool = {
    name,
    description: read("description", longText) ?? defaults.description,
    inputSchema,
    progressExtendsTimeout: read("progressExtendsTimeout", boolean) ?? false,
    replayable: read("holdpoint.replayable", boolean, ownFields) ?? false,
    ...withoutUndefined({
      title: read("title", text),
      outputSchema: read("outputSchema", schema),
      annotations: read("annotations", object),
      icons: read("icons", objects),
      meta: read("_meta", object),
      timeoutMs: readDuration("timeoutSecs"),
      maxTimeoutMs: readDuration("maxTimeoutSecs"),
      timeoutHint: read("timeoutHint", longText),
      askWithinMs: readDuration("holdpoint.askWithinSecs", ownFields),
      outputType: read("holdpoint.outputType", mediaType, ownFields),
    }),
  }
  return { tool, problems }
}

export const namePattern = /^[a-zA-Z0-9_-]{1,64}$/

/** The members of `holdpoint`. */
const knownOwnFields = ["replayable", "askWithinSecs", "outputType"]

const unknownFieldsIn = (ownFields: Fields): readonly FieldProblem[] =>
  Object.keys(ownFields)
    .filter((name) => !knownOwnFields.includes(name))
    .map((name) => {
      const nearestName = nearest(name, knownOwnFields)
      const suggestion =
        nearestName === undefined
          ? `The known fields are ${knownOwnFields.join(", ")}.`
          : `Did you mean ${nearestName}?`
      return { field: `holdpoint.${name}`, message: "is not a known field.", suggestion }
    })

const toWrongNameProblem = (name: string, isDefault: boolean): FieldProblem => ({
  field: "name",
  message: isDefault
    ? `is missing, and “${name.slice(0, 80)}” cannot be the name: a name has at most 64 letters, digits, _ and -, and nothing else.`
    : "must have at most 64 letters, digits, _ and -, and nothing else.",
  suggestion: `Write "name": "${suggestedName(name)}".`,
})

const suggestedName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]+/g, "-").slice(0, 64) || "my-tool"

/** Leaves out members that are undefined. */
function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

interface FieldType<T> {
  readonly expected: string
  readonly read: (value: unknown) => T | undefined
}

const textUpTo = (maxLength: number): FieldType<string> => ({
  expected: `text of at most ${maxLength} characters`,
  read: (value) => (typeof value === "string" && value.trim() !== "" && value.length <= maxLength ? value : undefined),
})
const text = textUpTo(200)
const longText = textUpTo(8_000)

const mediaType: FieldType<string> = {
  expected: "a media type such as image/png",
  read: (value) => (typeof value === "string" && /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : undefined),
}

const boolean: FieldType<boolean> = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
}

const object: FieldType<Fields> = {
  expected: "an object",
  read: (value) => (isObject(value) ? value : undefined),
}

const objects: FieldType<readonly Fields[]> = {
  expected: "a list of objects",
  read: (value) => (Array.isArray(value) && value.every(isObject) ? value : undefined),
}

/** A schema of type object. Clients refuse a tool with any other schema, and with it the whole list of tools. */
const schema: FieldType<Fields> = {
  expected: 'a JSON Schema of type object: {"type": "object", "properties": { … }}',
  read: (value) =>
    isObject(value) && (value.type === undefined || value.type === "object") ? { ...value, type: "object" } : undefined,
}

const maxSeconds = 7 * 24 * 60 * 60

const duration: FieldType<number> = {
  expected: `a number of seconds above 0, at most ${maxSeconds}`,
  read(value) {
    const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    return typeof seconds === "number" && seconds > 0 && seconds <= maxSeconds ? seconds * 1_000 : undefined
  },
}
