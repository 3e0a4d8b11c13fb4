// Compiles an author's schema (plain JSON Schema, or any library with Standard JSON Schema) to a form, or throws an
// error that lists everything that does not fit.

import type { Advice, JsonSchema } from "./advice.ts"
import { countCharacters, hasMoreBytes, isStorable, toJson } from "./characters.ts"
import { HoldpointError, type Problem } from "./error.ts"
import { readField } from "./field.ts"
import { type Content, type Field, type Form, formLimits } from "./form.ts"
import { isObject } from "./json.ts"
import { nearest } from "./nearest.ts"
import { type Report, reportOthers } from "./schema.ts"

export type { JsonSchema } from "./advice.ts"

/** The part of https://standardschema.dev/json-schema that `compile` uses. zod 4 and ArkType 2 implement it. */
export interface StandardJsonSchema<C = unknown> {
  readonly "~standard": {
    readonly vendor: string
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Readonly<Record<string, unknown>>
    }
    /** Accepts `undefined`, which libraries put on optional fields. */
    readonly types?: { readonly input: { readonly [K in keyof C]: C[K] | undefined } } | undefined
  }
}

/** The content that answers the form made from a schema; `Content` where its type does not say. */
export type AnswerTo<S> =
  S extends Form<infer C> ? C : S extends StandardJsonSchema<infer C> ? (C extends Content ? C : Content) : Content

/** Turns a schema into a form. Throws an error that lists everything a form cannot have. */
export function compile<S>(schema: S): Form<AnswerTo<S>> {
  const plainSchema = toPlain(schema)
  const problems: Problem[] = []
  const form = readForm(plainSchema, (path, advice) => problems.push({ path, ...advice }))
  if (problems.length > 0) throw refusal(problems)
  // Titles may have been added, so the size of the form is checked as well as that of the schema.
  if (hasMoreBytes(JSON.stringify(form), formLimits.bytes)) throw refusal([{ path: "", ...tooLargeAdvice }])
  return form as Form<AnswerTo<S>>
}

function readForm(schema: JsonSchema, report: Report): Form {
  const closingKeyword = schema.additionalProperties === false ? ["additionalProperties"] : []
  // A title or description of the whole schema is dropped: people read the question's message.
  reportOthers(schema, "", ["type", "properties", "required", "title", "description", ...closingKeyword], report)
  if (schema.type !== "object") {
    report("type", { message: "A form must be an object.", suggestion: 'Use { type: "object", properties: { … } }.' })
  }
  const properties = isObject(schema.properties) ? schema.properties : {}
  if (properties !== schema.properties) {
    report("properties", { message: "A form has properties, one for each field.", suggestion: "Add properties: {}." })
  }
  const names = Object.keys(properties)
  if (names.length > formLimits.fields) {
    // Stops here: reading thousands of fields would take seconds.
    const message = `A form has at most ${formLimits.fields} fields; this one has ${names.length}.`
    report("properties", { message, suggestion: "Ask several questions, one after the other." })
    return { type: "object", properties: {} }
  }
  const fields = names.flatMap((name) => readNamed(name, properties[name], report))
  const required = readRequired(schema.required ?? [], names, report)
  return { type: "object", properties: Object.fromEntries(fields), ...(required.length > 0 && { required }) }
}

function readNamed(name: string, schema: unknown, report: Report): readonly (readonly [string, Field])[] {
  if (!isName(name)) report(`properties.${name}`, badNameAdvice)
  const field = readField(name, schema, report)
  return field === undefined ? [] : [[name, field]]
}

function readRequired(required: unknown, names: readonly string[], report: Report): readonly string[] {
  if (!Array.isArray(required) || required.length > formLimits.fields) {
    report("required", {
      message: "required must be a list of field names.",
      suggestion: "Name each field at most once.",
    })
    return []
  }
  for (const [index, name] of required.entries()) {
    const path = `required.${index}`
    if (!names.includes(name)) {
      const candidate = nearest(String(name), names)
      const suggestion =
        candidate === undefined ? "Add the field, or leave its name out." : `Did you mean “${candidate}”?`
      report(path, { message: "There is no field with this name.", suggestion })
    } else if (required.indexOf(name) < index) {
      report(path, { message: "This field is named twice.", suggestion: "Name it once." })
    }
  }
  return names.filter((name) => required.includes(name))
}

function isName(name: string): boolean {
  const length = countCharacters(name)
  if (length < 1 || length > formLimits.name || !isStorable(name) || /\p{Cc}/u.test(name)) return false
  return !["__proto__", "constructor", "prototype"].includes(name)
}

const badNameAdvice: Advice = {
  message: `A field name must have 1 to ${formLimits.name} printable characters, and must not be reserved by JavaScript.`,
  suggestion: "Use a short name of letters, digits and underscores, and put the text for people into title.",
}

const tooLargeAdvice: Advice = {
  message: `A form has at most ${formLimits.bytes / 1024} KiB.`,
  suggestion: "Offer fewer choices, shorten the descriptions, or ask several questions.",
}

const notJsonAdvice: Advice = {
  message: "A form is made from a plain JSON Schema object.",
  suggestion: 'Use { type: "object", properties: { … } }, or a schema of a library such as zod.',
}

/**
 * Copies the schema through JSON: getters and prototypes are gone, and Infinity and NaN have become null. Throws when
 * JSON cannot express the schema, for example because it is cyclic.
 */
function toPlain(schema: unknown): JsonSchema {
  const json = toJson(fromStandard(schema))
  if (json === undefined) throw refusal([{ path: "", ...notJsonAdvice }])
  if (hasMoreBytes(json, formLimits.bytes)) throw refusal([{ path: "", ...tooLargeAdvice }])
  const plainSchema: unknown = JSON.parse(json)
  if (!isObject(plainSchema)) throw refusal([{ path: "", ...notJsonAdvice }])
  return plainSchema
}

function fromStandard(schema: unknown): unknown {
  // A schema of ArkType is a function.
  const isObject = (typeof schema === "object" && schema !== null) || typeof schema === "function"
  if (!isObject || !("~standard" in schema)) return schema
  const standard = schema["~standard"]
  if (!canConvert(standard)) {
    const message = "This schema can validate values, but cannot be converted to JSON Schema."
    const suggestion =
      "Use a version of its library with Standard JSON Schema (zod 4.2, ArkType 2.1.28; for Valibot, " +
      "toStandardJsonSchema of @valibot/to-json-schema), or pass plain JSON Schema."
    throw refusal([{ path: "", message, suggestion }])
  }
  try {
    return standard.jsonSchema.input({ target: "draft-2020-12" })
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : ""
    const message = `The schema's own library cannot convert it to JSON Schema${reason}.`
    const suggestion = "Use only text, numbers, yes or no, and choices; dates are text with a format."
    throw refusal([{ path: "", message, suggestion }], cause)
  }
}

function canConvert(standard: unknown): standard is StandardJsonSchema["~standard"] {
  const jsonSchema =
    typeof standard === "object" && standard !== null && "jsonSchema" in standard && standard.jsonSchema
  return isObject(jsonSchema) && typeof jsonSchema.input === "function"
}

function refusal(problems: readonly Problem[], cause?: unknown): HoldpointError {
  const [firstProblem] = problems
  const location = firstProblem?.path ? `${firstProblem.path}: ` : ""
  const moreWords = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
  const message = `The form cannot be used. ${location}${firstProblem?.message}${moreWords}`
  return new HoldpointError("invalid_question", message, { problems, cause })
}
