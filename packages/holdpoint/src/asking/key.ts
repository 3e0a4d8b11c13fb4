// The keys under which a call remembers what it asked and did: checked, and kept apart by scopes. Pure.

import { HoldpointError } from "../core/error.ts"

/** Stands between the name of a scope and what is in it, and in no name or key. */
const separator = " › "

/** Of a question. */
export function checkKey(key: string): string {
  if (/^[^\s\p{C}][^\p{C}]{0,99}$/u.test(key)) return key
  throw new HoldpointError("invalid_question", `“${key}” cannot be a key: use up to 100 visible characters.`)
}

/** A key as the journal knows it. `scope` is what `scopeWithin` gave, or empty. */
export function keyWithin(scope: string, key: string): string {
  if (!key.includes(separator)) return `${scope}${key}`
  throw new HoldpointError("invalid_question", `“${key}” cannot be a key: “${separator}” stands between scopes.`)
}

export const scopeWithin = (scope: string, name: string): string => `${keyWithin(scope, checkKey(name))}${separator}`
