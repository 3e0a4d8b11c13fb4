// Forms that programs send again and again, as one object each, so that the hub judges each of them once.

import type { Json } from "./json.ts"

/** Returns one frozen object for all forms with the same JSON. */
export type SameForm = (form: Json) => Json

/** How many forms are remembered; the oldest is forgotten first. */
const mostForms = 500
/** Larger forms are not remembered, so that all of them together stay below a few megabytes. */
const longestForm = 4_096

export function createSameForm(): SameForm {
  const formsByText = new Map<string, Json>()
  return (form) => {
    const text = JSON.stringify(form)
    const same = formsByText.get(text)
    if (same !== undefined) return same
    if (text.length > longestForm) return form
    const oldest = formsByText.keys().next().value
    if (formsByText.size >= mostForms && oldest !== undefined) formsByText.delete(oldest)
    formsByText.set(text, freeze(form))
    return form
  }
}

/** Freezes a form with everything in it. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
