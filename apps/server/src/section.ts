// Checks a section of holdpoint.config.ts. Reports every problem at once, and never repeats a value, because some values
// are secrets.

import { HoldpointError, type Problem } from "@holdpoint/sdk"
import { nearest } from "@holdpoint/sdk/forms"

export interface Kind {
  readonly expected: string
  readonly fits: (value: unknown) => boolean
  /** The kinds of an object's members. */
  readonly fields?: Fields
}

export type Fields = Readonly<Record<string, Kind>>

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== ""
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const text: Kind = { expected: "text", fits: isText }
export const yesNo: Kind = { expected: "true or false", fits: (value) => typeof value === "boolean" }
export const texts: Kind = { expected: "a list of text", fits: (value) => Array.isArray(value) && value.every(isText) }
export const number: Kind = { expected: "a number", fits: (value) => typeof value === "number" }
export const object: Kind = { expected: "an object", fits: isObject }

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

function* problemsOf(prefix: string, given: Readonly<Record<string, unknown>>, known: Fields): Generator<Problem> {
  for (const [name, value] of Object.entries(given)) {
    const path = `${prefix}${name}`
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) yield { path, message: "is not a setting.", suggestion: suggest(name, Object.keys(known)) }
    else if (value !== undefined && !kind.fits(value)) yield { path, message: `must be ${kind.expected}.` }
    else if (kind.fields !== undefined && isObject(value)) yield* problemsOf(`${path}.`, value, kind.fields)
  }
}

/** `shown` is the list to print when no name is similar: a shorter one, where `known` has a hundred tools. */
export function suggest(name: string, known: readonly string[], shown: readonly string[] = known): string {
  const meant = nearest(name, known)
  return meant === undefined ? `There are ${shown.join(", ")}.` : `Did you mean ${meant}?`
}
