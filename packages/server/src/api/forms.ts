// Caches the forms that programs send repeatedly, as one object each, so that the hub validates each form only once.

import type { Json } from "@holdpoint/hub/internal"

/** Returns the same frozen object for all forms with equal JSON, except for forms that are too long to cache. */
export type SameForm = (form: Json) => Json

/** The most cached forms. The oldest is removed first. */
const mostForms = 500
/** The most characters of a cached form, so that the whole cache stays below a few megabytes. */
const longestForm = 4_096

export function createSameForm(): SameForm {
  const formsByText = new Map<string, Json>()
  return (form) => {
    const text = JSON.stringify(form)
    const cached = formsByText.get(text)
    if (cached !== undefined) return cached
    if (text.length > longestForm) return form
    const oldest = formsByText.keys().next().value
    if (formsByText.size >= mostForms && oldest !== undefined) formsByText.delete(oldest)
    formsByText.set(text, freeze(form))
    return form
  }
}

/** Freezes a form and all of its members. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
