// What to write instead of each JSON Schema keyword that a form cannot have. Read by the author of a question.

import { nearest } from "./nearest.ts"

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Advice {
  readonly message: string
  readonly suggestion: string
}

/** Keywords that change nothing about an answer, and are dropped. */
export const harmlessKeywords: readonly string[] = [
  "$schema",
  "$id",
  "$comment",
  "examples",
  "readOnly",
  "writeOnly",
  "deprecated",
]

export const fieldKeywords: readonly string[] = [
  "type",
  "title",
  "description",
  "default",
  "minLength",
  "maxLength",
  "format",
  "minimum",
  "maximum",
  "enum",
  "enumNames",
  "oneOf",
  "items",
  "minItems",
  "maxItems",
]

const checkAnswerWords = "State it in the description, and check the answer when you have it."
const writeInPlaceWords = "Write the field out in place."
const conditionalAdvice: Advice = {
  message: "A form has no conditions or combined schemas.",
  suggestion: "Ask the first question, then ask the next one depending on its answer.",
}
const referenceAdvice: Advice = { message: "A form cannot refer to shared definitions.", suggestion: writeInPlaceWords }
const otherFieldsAdvice: Advice = {
  message: "A form has exactly the fields it names.",
  suggestion: "Name every field in properties, and leave this out or set additionalProperties to false.",
}
const listItemsAdvice: Advice = {
  message: "A list can only be a choice among given values.",
  suggestion: 'Use items: { type: "string", enum: […] }.',
}

export const nullableAdvice: Advice = {
  message: "A field cannot be null.",
  suggestion: "Leave the field out of required: no answer then means null.",
}

export const unionAdvice: Advice = {
  message: "A field has exactly one type.",
  suggestion: "Offer the values as an enum of strings, or ask separate questions.",
}

const adviceByKeyword: Readonly<Record<string, (schema: JsonSchema) => Advice>> = {
  pattern: () => ({
    message: "A form cannot check text against a pattern.",
    suggestion: "Describe the expected format in the description, and check the answer when you have it.",
  }),
  exclusiveMinimum: (schema) => adviceOnExclusive(schema, "minimum", "exclusiveMinimum"),
  exclusiveMaximum: (schema) => adviceOnExclusive(schema, "maximum", "exclusiveMaximum"),
  multipleOf: () => ({ message: "A form cannot ask for multiples of a number.", suggestion: checkAnswerWords }),
  const: () => ({
    message: "A fixed value can only be text.",
    suggestion: "Use a yes-or-no field or an enum of strings, and check the answer when you have it.",
  }),
  nullable: () => nullableAdvice,
  anyOf: () => unionAdvice,
  not: () => conditionalAdvice,
  allOf: () => conditionalAdvice,
  if: () => conditionalAdvice,
  // biome-ignore lint/suspicious/noThenProperty: "then" is a JSON Schema keyword, and this table is never awaited.
  then: () => conditionalAdvice,
  else: () => conditionalAdvice,
  dependentRequired: () => conditionalAdvice,
  dependentSchemas: () => conditionalAdvice,
  $ref: () => referenceAdvice,
  $dynamicRef: () => referenceAdvice,
  $defs: () => referenceAdvice,
  definitions: () => referenceAdvice,
  additionalProperties: () => otherFieldsAdvice,
  unevaluatedProperties: () => otherFieldsAdvice,
  patternProperties: () => otherFieldsAdvice,
  propertyNames: () => otherFieldsAdvice,
  minProperties: () => ({
    message: "A form cannot limit how many fields are filled in.",
    suggestion: "Name the fields that must be answered in required.",
  }),
  maxProperties: () => ({
    message: "A form cannot limit how many fields are filled in.",
    suggestion: "Leave fields that may be empty out of required.",
  }),
  prefixItems: () => listItemsAdvice,
  contains: () => listItemsAdvice,
  uniqueItems: () => ({
    message: "Each choice can be selected only once.",
    suggestion: "Leave uniqueItems out, or set it to true.",
  }),
  contentEncoding: () => ({
    message: "A form cannot take files or encoded text.",
    suggestion: "Ask for a link, or use a url question that leads to an upload page.",
  }),
}

/** What to write instead of a keyword that this schema cannot have. */
export function adviceOn(keyword: string, schema: JsonSchema): Advice {
  if (Object.hasOwn(adviceByKeyword, keyword)) return adviceByKeyword[keyword]!(schema)
  if (fieldKeywords.includes(keyword)) {
    return { message: `“${keyword}” does not apply here.`, suggestion: "Remove it, or change the field's type." }
  }
  const suggestion = nearest(keyword, fieldKeywords)
  return {
    message: "Forms do not support this keyword.",
    suggestion:
      suggestion === undefined ? `Remove it. ${checkAnswerWords}` : `Did you mean “${suggestion}”? If not, remove it.`,
  }
}

/** The advice for a field that is an object, such as an address: make each of its members a field of the form. */
export function adviceOnNesting(name: string, schema: JsonSchema): Advice {
  const innerNames = Object.keys(schema.properties ?? {}).slice(0, 3)
  const flatNames = (innerNames.length > 0 ? innerNames : ["first", "second"]).map((key) => `${name}_${key}`)
  return {
    message: "A form is flat: no objects inside objects.",
    suggestion: `Use fields such as ${flatNames.join(", ")}.`,
  }
}

function adviceOnExclusive(schema: JsonSchema, bound: "minimum" | "maximum", keyword: string): Advice {
  const limit = schema[keyword]
  const message = "The bounds of a field are always inclusive."
  if (typeof limit !== "number") return { message, suggestion: `Use ${bound}, with a number.` }
  if (schema.type === "integer") {
    const inclusive = bound === "minimum" ? Math.floor(limit) + 1 : Math.ceil(limit) - 1
    return { message, suggestion: `Use ${bound}: ${inclusive}.` }
  }
  const words = bound === "minimum" ? "more than" : "less than"
  return {
    message,
    suggestion: `Write “${words} ${limit}” in the description, use ${bound}: ${limit}, and check the answer.`,
  }
}
