// What the metadata of a script says: read from JSON, field by field, with every problem in words. Pure.

import { nearest } from "@holdpoint/sdk/forms"
import { isRecord } from "../request.ts"
import type { ShellTool } from "../tool.ts"

/** The part of a tool that its metadata says. */
export type Described = Omit<ShellTool, "program" | "folder" | "root" | "metadata">

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

/** Unknown members are ignored, because other servers have more; those of `holdpoint` are ours, and are problems. */
export function describe(
  given: Fields,
  defaults: Defaults,
): { readonly tool: Described; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const read = <T>(field: string, kind: Kind<T>, from: Fields = given): T | undefined => {
    const value = from[field.split(".").at(-1) ?? field]
    // Other servers take null for absent.
    if (value === undefined || value === null) return undefined
    const found = kind.read(value)
    if (found === undefined) problems.push({ field, message: `must be ${kind.expected}.` })
    return found
  }
  const name = read("name", text) ?? defaults.name
  if (!namePattern.test(name)) problems.push(wrongName(name, given.name === undefined))
  const ours = read("holdpoint", object) ?? {}
  problems.push(...unknownOf(ours))
  const inputSchema = read("inputSchema", schema) ?? read("arguments", schema) ?? { type: "object" }
  const seconds = (field: string, from?: Fields) => read(field, duration, from)
  const tool: Described = {
    name,
    description: read("description", longText) ?? defaults.description,
    inputSchema,
    progressExtendsTimeout: read("progressExtendsTimeout", yesNo) ?? false,
    replayable: read("holdpoint.replayable", yesNo, ours) ?? false,
    ...present({
      title: read("title", text),
      outputSchema: read("outputSchema", schema),
      annotations: read("annotations", object),
      icons: read("icons", objects),
      meta: read("_meta", object),
      timeoutMs: seconds("timeoutSecs"),
      maxTimeoutMs: seconds("maxTimeoutSecs"),
      timeoutHint: read("timeoutHint", longText),
      askWithinMs: seconds("holdpoint.askWithinSecs", ours),
    }),
  }
  return { tool, problems }
}

export const namePattern = /^[a-zA-Z0-9_-]{1,64}$/

/** The members of `holdpoint`. */
const ourFields = ["replayable", "askWithinSecs"]

const unknownOf = (ours: Fields): readonly FieldProblem[] =>
  Object.keys(ours)
    .filter((name) => !ourFields.includes(name))
    .map((name) => {
      const meant = nearest(name, ourFields)
      const suggestion = meant === undefined ? `There are ${ourFields.join(" and ")}.` : `Did you mean ${meant}?`
      return { field: `holdpoint.${name}`, message: "is not known.", suggestion }
    })

const wrongName = (name: string, isDefault: boolean): FieldProblem => ({
  field: "name",
  message: isDefault
    ? `is missing, and “${name.slice(0, 80)}” cannot be the name: it must have letters, digits, _ and - alone, at most 64.`
    : "must have letters, digits, _ and - alone, at most 64.",
  suggestion: `Write "name": "${suggestedName(name)}".`,
})

const suggestedName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]+/g, "-").slice(0, 64) || "my-tool"

/** Without the members that are undefined. */
function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

interface Kind<T> {
  readonly expected: string
  readonly read: (value: unknown) => T | undefined
}

const textUpTo = (most: number): Kind<string> => ({
  expected: `text of at most ${most} characters`,
  read: (value) => (typeof value === "string" && value.trim() !== "" && value.length <= most ? value : undefined),
})
const text = textUpTo(200)
const longText = textUpTo(8_000)

const yesNo: Kind<boolean> = {
  expected: "true or false",
  read: (value) => (typeof value === "boolean" ? value : undefined),
}

const object: Kind<Fields> = {
  expected: "an object",
  read: (value) => (isRecord(value) ? value : undefined),
}

const objects: Kind<readonly Fields[]> = {
  expected: "a list of objects",
  read: (value) => (Array.isArray(value) && value.every(isRecord) ? value : undefined),
}

/** Clients refuse a schema of another type, and with it the whole list. */
const schema: Kind<Fields> = {
  expected: 'a JSON Schema of type object: {"type": "object", "properties": { … }}',
  read: (value) =>
    isRecord(value) && (value.type === undefined || value.type === "object") ? { ...value, type: "object" } : undefined,
}

const mostSeconds = 7 * 24 * 60 * 60

const duration: Kind<number> = {
  expected: `a number of seconds above 0, at most ${mostSeconds}`,
  read(value) {
    const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    return typeof seconds === "number" && seconds > 0 && seconds <= mostSeconds ? seconds * 1_000 : undefined
  },
}
