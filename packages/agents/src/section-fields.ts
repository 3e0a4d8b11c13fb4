// The checks of values that all parts of the section `agents` use.

import { nearest } from "@holdpoint/hub/forms"
import type { Json } from "./json.ts"

/** Reports a problem of the section. */
export type Add = (path: string, message: string, suggestion?: string) => void

export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0

/** The words for a value that is not a count. */
export const countRule = "must be a whole number above 0"

export interface CheckedMembers {
  readonly value: Json
  readonly path: string
  /** The names of the settings that the value may have. */
  readonly known: readonly string[]
  readonly add: Add
}

/** Reports each member that is not a setting, with the nearest setting. */
export function checkMembers({ value, path, known, add }: CheckedMembers): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue
    const suggestion = nearest(name, known)
    add(`${path}.${name}`, "is not a setting.", suggestion && `Did you mean ${suggestion}?`)
  }
}
