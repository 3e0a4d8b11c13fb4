// Converts choices, in every way that JSON Schemas write them (enum, const, oneOf, anyOf, lists of these), to the five
// shapes that MCP has.

import { type Advice, type JsonSchema, nullableAdvice, unionAdvice } from "./advice.ts"
import { type Field, formLimits, type Option } from "./form.ts"
import { isObject } from "./json.ts"
import { hasKeyword, isShort, readCounts, reportOthers, type SchemaReader, tooLongAdvice } from "./schema.ts"

type Keyword = "enum" | "const" | "oneOf" | "anyOf"

interface Offer {
  readonly options: readonly Option[]
  readonly hasTitles: boolean
}

export function readEnum(schema: JsonSchema, reader: SchemaReader): Field | undefined {
  const values = readOffer(schema, "enum", reader)?.options.map((option) => option.const)
  const names = schema.enumNames
  if (values === undefined || names === undefined) return values && { type: "string", enum: values }
  if (
    Array.isArray(names) &&
    names.length === values.length &&
    names.every((name) => isShort(name, formLimits.title))
  ) {
    return { type: "string", enum: values, enumNames: names }
  }
  reader.report(`${reader.path}.enumNames`, {
    message: `enumNames has one title of at most ${formLimits.title} characters for each value of enum.`,
    suggestion: "Use oneOf: [{ const, title }, …].",
  })
  return undefined
}

export function readChoice(keyword: Keyword): (schema: JsonSchema, reader: SchemaReader) => Field | undefined {
  return (schema, reader) => {
    const offer = readOffer(schema, keyword, reader)
    if (offer === undefined) return undefined
    return offer.hasTitles
      ? { type: "string", oneOf: offer.options }
      : { type: "string", enum: offer.options.map((option) => option.const) }
  }
}

export function readChoices(schema: JsonSchema, reader: SchemaReader): Field | undefined {
  const { path, report } = reader
  const counts = readCounts(schema, ["minItems", "maxItems"], reader)
  const items = schema.items
  const keywords = ["enum", "const", "oneOf", "anyOf"] as const
  const keyword = isObject(items) ? keywords.find((word) => hasKeyword(items, word)) : undefined
  if (!isObject(items) || keyword === undefined) {
    report(`${path}.items`, freeListAdvice)
    return undefined
  }
  reportOthers(items, `${path}.items`, ["type", keyword], report)
  const offer = readOffer(items, keyword, { ...reader, path: `${path}.items` })
  if (offer === undefined) return undefined
  const { length } = offer.options
  if ((counts.minItems ?? 0) > length) {
    report(`${path}.minItems`, { message: "There are not that many choices.", suggestion: `Use at most ${length}.` })
  }
  return offer.hasTitles
    ? { type: "array", items: { anyOf: offer.options }, ...counts }
    : { type: "array", items: { type: "string", enum: offer.options.map((option) => option.const) }, ...counts }
}

function readOffer(schema: JsonSchema, keyword: Keyword, reader: SchemaReader): Offer | undefined {
  const path = `${reader.path}.${keyword}`
  if (schema.type !== undefined && schema.type !== "string") reader.report(`${reader.path}.type`, onlyTextAdvice)
  const choices = keyword === "const" ? [schema[keyword]] : schema[keyword]
  if (keyword === "oneOf" || keyword === "anyOf") return readOptions(choices, { ...reader, path })
  if (!Array.isArray(choices)) {
    reader.report(path, onlyTextAdvice)
    return undefined
  }
  const values = checkValues(choices, (index) => (keyword === "const" ? path : `${path}.${index}`), { ...reader, path })
  return values && { options: values.map((value) => ({ const: value, title: value })), hasTitles: false }
}

/** Reads the options of `oneOf` or `anyOf`. The title of an option without a title is its value. */
function readOptions(choices: unknown, { name, path, report }: SchemaReader): Offer | undefined {
  if (!isOptions(choices)) {
    const withNull =
      Array.isArray(choices) &&
      choices.length === 2 &&
      choices.some((option) => isObject(option) && option.type === "null")
    report(path, withNull ? nullableAdvice : unionAdvice)
    return undefined
  }
  for (const [index, option] of choices.entries()) {
    reportOthers(option, `${path}.${index}`, ["type", "const", "title"], report)
    if (option.type !== undefined && option.type !== "string") report(`${path}.${index}.type`, onlyTextAdvice)
    if (hasKeyword(option, "title") && !isShort(option.title, formLimits.title)) {
      report(`${path}.${index}.title`, tooLongAdvice("title"))
    }
  }
  const consts = choices.map((option) => option.const)
  const values = checkValues(consts, (index) => `${path}.${index}.const`, { name, path, report })
  const options = values?.map((value, index) => ({ const: value, title: String(choices[index]?.title ?? value) }))
  return options && { options, hasTitles: choices.some((option) => hasKeyword(option, "title")) }
}

function isOptions(choices: unknown): choices is readonly (JsonSchema & { readonly const: string })[] {
  return Array.isArray(choices) && choices.every((option) => isObject(option) && typeof option.const === "string")
}

function checkValues(
  values: readonly unknown[],
  pathOf: (index: number) => string,
  { path, report }: SchemaReader,
): readonly string[] | undefined {
  if (values.length === 0) report(path, { message: "A choice needs at least one value.", suggestion: "Add values." })
  if (values.length > formLimits.options) {
    report(path, {
      message: `A choice has at most ${formLimits.options} values; this one has ${values.length}.`,
      suggestion: "Ask a narrower question first, or ask for text.",
    })
    return undefined
  }
  for (const [index, value] of values.entries()) {
    if (typeof value !== "string") report(pathOf(index), onlyTextAdvice)
    else if (!isShort(value, formLimits.option)) report(pathOf(index), tooLongAdvice("option"))
    else if (values.indexOf(value) < index) {
      report(pathOf(index), { message: "This choice is listed twice.", suggestion: "Remove one of them." })
    }
  }
  return values.every((value) => typeof value === "string") ? values : undefined
}

const onlyTextAdvice: Advice = {
  message: "Choices are text.",
  suggestion: "Write the values as strings, and convert the answer when you have it.",
}

const freeListAdvice: Advice = {
  message: "A list can only be a choice among given values, not free entries.",
  suggestion: "Give the values as an enum, or use a text field that takes one entry per line and split it.",
}
