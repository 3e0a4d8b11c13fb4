// The keys of a call's questions and effects: validated, and separated by scopes. Pure.

import { HoldpointError } from "@holdpoint/hub"

/** Separates the name of a scope from the key. It must not occur in a name or key. */
const separator = " › "

/** Returns the key of a question if it is valid. Throws `invalid_question` otherwise. */
export function checkKey(key: string): string {
  if (/^[^\s\p{C}][^\p{C}]{0,99}$/u.test(key)) return key
  throw new HoldpointError("invalid_question", `“${key}” cannot be a key: use up to 100 visible characters.`)
}

/** Returns the key as used in the journal. `scope` comes from `scopeWithin`, or is empty. */
export function keyWithin(scope: string, key: string): string {
  if (!key.includes(separator)) return `${scope}${key}`
  throw new HoldpointError("invalid_question", `“${key}” cannot be a key: “${separator}” stands between scopes.`)
}

export const scopeWithin = (scope: string, name: string): string => `${keyWithin(scope, checkKey(name))}${separator}`

/** The scope of a key as used in the journal: its prefix. Empty outside all scopes. */
export function scopeOf(key: string): string {
  const end = key.lastIndexOf(separator)
  return end === -1 ? "" : key.slice(0, end + separator.length)
}
