// Checks a section of holdpoint.config.ts. Reports every problem at once, and never repeats a value, because some
// values are secrets.

import { HoldpointError, type Problem } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import { isObject } from "@holdpoint/hub/internal"

export interface Kind {
  readonly expected: string
  readonly isValid: (value: unknown) => boolean
  /** The kinds of an object's members. */
  readonly fields?: Fields
}

export type Fields = Readonly<Record<string, Kind>>

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== ""
export const text: Kind = { expected: "text", isValid: isText }
export const yesNo: Kind = { expected: "true or false", isValid: (value) => typeof value === "boolean" }
export const texts: Kind = {
  expected: "a list of text",
  isValid: (value) => Array.isArray(value) && value.every(isText),
}
export const number: Kind = { expected: "a number", isValid: (value) => typeof value === "number" }
export const object: Kind = { expected: "an object", isValid: isObject }

export interface SectionRules {
  readonly name: string
  readonly fields: Fields
  /** The headline of the error. */
  readonly refusal: string
}

/** Throws `invalid_config` unless every member is known and of its kind. */
export function assertSection(
  section: Readonly<Record<string, unknown>>,
  { name, fields, refusal }: SectionRules,
): void {
  const problems = [...problemsOf(`${name}.`, section, fields)]
  if (problems.length > 0) throw new HoldpointError("invalid_config", refusal, { problems })
}

function* problemsOf(prefix: string, object: Readonly<Record<string, unknown>>, fields: Fields): Generator<Problem> {
  for (const [name, value] of Object.entries(object)) {
    const path = `${prefix}${name}`
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (kind === undefined) yield { path, message: "is not a setting.", suggestion: suggest(name, Object.keys(fields)) }
    else if (value !== undefined && !kind.isValid(value)) yield { path, message: `must be ${kind.expected}.` }
    else if (kind.fields !== undefined && isObject(value)) yield* problemsOf(`${path}.`, value, kind.fields)
  }
}

/** Suggests the most similar of `names`, else lists `listedNames`, which may be shorter than `names`. */
export function suggest(name: string, names: readonly string[], listedNames: readonly string[] = names): string {
  const similarName = nearest(name, names)
  return similarName === undefined ? `There are ${listedNames.join(", ")}.` : `Did you mean ${similarName}?`
}
