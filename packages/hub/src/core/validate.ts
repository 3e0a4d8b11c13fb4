// Validates an answer against its form: all violations, in words for the person who answered. Nothing is coerced or
// filled in, and no message repeats the answer.

import { countCharacters, hasMoreBytes, isStorable, toJson } from "./characters.ts"
import type { Problem } from "./error.ts"
import { type Content, type Form, formLimits } from "./form.ts"
import { nearest } from "./nearest.ts"
import { faultsOf } from "./value.ts"

/** The checked answer, or everything that is wrong with it. */
export type Validation<C = Content> =
  | { readonly ok: true; readonly content: C }
  | { readonly ok: false; readonly problems: readonly Problem[] }

type Entries = readonly (readonly [name: string, value: unknown])[]

/** Checks an answer against its form, and names every problem. */
export function validate<C extends Content>(form: Form<C>, content: unknown): Validation<C> {
  const entries = toEntries(content)
  const sizeProblem = entries === undefined ? notAnObject : findSizeProblem(entries)
  if (entries === undefined || sizeProblem !== undefined) return { ok: false, problems: [sizeProblem ?? notAnObject] }

  const values = new Map(entries)
  const problems = [
    ...Object.keys(form.properties).flatMap((name) => problemsOf(form, name, values)),
    ...entries.flatMap(([name]) => (Object.hasOwn(form.properties, name) ? [] : [unknownField(form, name)])),
  ]
  if (problems.length > 0) return { ok: false, problems }
  const fieldValues = Object.keys(form.properties).flatMap((name) =>
    values.has(name) ? [[name, values.get(name)] as const] : [],
  )
  return { ok: true, content: Object.fromEntries(fieldValues) as C }
}

function problemsOf(form: Form, name: string, values: ReadonlyMap<string, unknown>): readonly Problem[] {
  const field = form.properties[name]!
  const label = field.title || name
  if (values.has(name)) {
    return faultsOf(field, values.get(name)).map((fault) => ({ path: name, message: `${label} ${fault}` }))
  }
  return form.required?.includes(name) ? [{ path: name, message: `${label} is missing; please fill it in.` }] : []
}

function unknownField(form: Form, name: string): Problem {
  const isNameShowable = isStorable(name) && countCharacters(name) <= formLimits.name && !/\p{Cc}/u.test(name)
  if (!isNameShowable) return { path: "", message: "The answer contains a field that the form does not have." }
  const suggestion = nearest(name, Object.keys(form.properties))
  const hint = suggestion === undefined ? "." : `; did you mean “${suggestion}”?`
  return { path: name, message: `There is no field called “${name}”${hint}` }
}

const notAnObject: Problem = { path: "", message: "The answer must be a plain object with one value for each field." }

function findSizeProblem(entries: Entries): Problem | undefined {
  if (entries.length > formLimits.fields) {
    return { path: "", message: `The answer has more than ${formLimits.fields} values.` }
  }
  const tooLargeProblem = { path: "", message: `The answer is larger than ${formLimits.bytes / 1024} KiB.` }
  if (entries.some(([, value]) => Array.isArray(value) && value.length > formLimits.options)) return tooLargeProblem
  const json = toJson(Object.fromEntries(entries))
  if (json === undefined) return { path: "", message: "The answer must be plain JSON." }
  return hasMoreBytes(json, formLimits.bytes) ? tooLargeProblem : undefined
}

/**
 * Copies the content before it is checked. As in JSON, `undefined` is absent and -0 becomes 0. Undefined when the
 * content is not a plain object.
 */
function toEntries(content: unknown): Entries | undefined {
  try {
    if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined
    const prototype = Object.getPrototypeOf(content)
    // Accepts plain objects of any realm: Object.prototype is the object whose prototype is null.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined
    return Object.entries(content).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, copy(value)] as const],
    )
  } catch {
    return undefined
  }
}

function copy(value: unknown): unknown {
  if (Array.isArray(value) && value.length <= formLimits.options) return Array.from(value)
  return value === 0 ? 0 : value
}
