// The form of `holdpoint ask`: from one flag for each field, in the order given, or from a JSON Schema.

import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Form, FormSource } from "@holdpoint/hub"
import { choice, choices, date, email, integer, number, text, yesNo } from "@holdpoint/hub"
import type { Field, JsonSchema } from "@holdpoint/hub/forms"
import { confirmForm } from "@holdpoint/hub/forms"
import { isObject } from "@holdpoint/hub/internal"
import type { Arguments, Flags } from "./arguments.ts"
import type { Io } from "./io.ts"
import { didYouMean, wrongUse } from "./wrong-use.ts"

interface FieldFlag {
  readonly value: string
  readonly help: string
  readonly make: (definition: string | undefined, flag: string) => Field
}

const withTitle = (title: string | undefined) => (title === undefined ? {} : { title })

const fieldFlagTable: Readonly<Record<string, FieldFlag>> = {
  text: { value: "NAME[=TITLE]", help: "a line of text", make: (title) => text(withTitle(title)) },
  choice: {
    value: "NAME=A,B,…",
    help: "one of these",
    make: (definition, flag) => choice(optionsIn(definition, flag)),
  },
  choices: {
    value: "NAME=A,B,…",
    help: "any of these",
    make: (definition, flag) => choices(optionsIn(definition, flag)),
  },
  number: { value: "NAME[=TITLE]", help: "a number", make: (title) => number(withTitle(title)) },
  integer: { value: "NAME[=TITLE]", help: "a whole number", make: (title) => integer(withTitle(title)) },
  "yes-no": { value: "NAME[=TITLE]", help: "yes or no", make: (title) => yesNo(withTitle(title)) },
  email: { value: "NAME[=TITLE]", help: "an e-mail address", make: (title) => email(withTitle(title)) },
  date: { value: "NAME[=TITLE]", help: "a date, such as 2026-01-31", make: (title) => date(withTitle(title)) },
}

export const fieldFlags: Flags = {
  ...Object.fromEntries(
    Object.entries(fieldFlagTable).map(([name, { value, help }]) => [name, { value, help, repeats: true }]),
  ),
  optional: { value: "NAME", help: "this field may be left out; may be repeated", repeats: true },
  form: { value: "FILE|JSON", help: "the whole form as JSON Schema, instead of the flags above" },
}

export const answerLabelFlags: Flags = {
  yes: { value: "WORDS", help: "the words for yes, such as “Deploy”" },
  no: { value: "WORDS", help: "the words for no, such as “Not now”" },
}

/** Whether --yes or --no gives words for an answer of a yes-or-no question. Then No is an answer, not a decline. */
export const hasAnswerLabels = (args: Arguments): boolean => Object.keys(answerLabelFlags).some(args.has)

/** The form of a yes-or-no question with its own words; undefined when there are none. */
export function readAnswerLabels(args: Arguments, message: string): Form | undefined {
  if (!hasAnswerLabels(args)) return undefined
  const [yesLabel, noLabel] = [args.one("yes"), args.one("no")]
  const otherFlag = args.flags.find(({ name }) => name === "url" || Object.hasOwn(fieldFlags, name))
  if (otherFlag !== undefined)
    throw wrongUse(
      `--yes and --no do not go together with --${otherFlag.name}.`,
      "They are for questions without fields.",
    )
  if (yesLabel?.trim() === "" || noLabel?.trim() === "" || yesLabel === noLabel)
    throw wrongUse("--yes and --no need different words.", 'Write --yes "Deploy" --no "Not now".')
  return confirmForm(
    { ...(yesLabel === undefined ? {} : { yes: yesLabel }), ...(noLabel === undefined ? {} : { no: noLabel }) },
    message,
  )
}

/** The form of --form or of the flags for fields. Without any of them it is a yes-or-no question. */
export function readForm(args: Arguments, io: Io): FormSource {
  const fields = args.flags.filter(({ name }) => Object.hasOwn(fieldFlagTable, name))
  const source = args.one("form")
  if (source === undefined) return fromFlags(fields, args.all("optional"))
  if (fields.length === 0 && !args.has("optional")) return fromSchema(source, io)
  throw wrongUse("--form is the whole form.", "Leave out the flags for fields, or put the fields into the form.")
}

function fromFlags(fields: Arguments["flags"], optional: readonly string[]): Form {
  const properties = new Map<string, Field>()
  for (const { name: flag, value } of fields) {
    const [, name = "", rest] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? []
    if (name === "")
      throw wrongUse(`--${flag} ${value} has no name.`, `Write --${flag} ${fieldFlagTable[flag]?.value}.`)
    if (properties.has(name)) throw wrongUse(`There are two fields called “${name}”.`, "Give each a name of its own.")
    properties.set(name, fieldFlagTable[flag]!.make(rest, flag))
  }
  for (const name of optional) {
    if (properties.has(name)) continue
    const names = [...properties.keys()]
    const fieldNames = names.length === 0 ? "There are no fields." : `There are ${names.join(", ")}.`
    throw wrongUse(`--optional names “${name}”, which is not a field.`, didYouMean(name, names, fieldNames))
  }
  const required = [...properties.keys()].filter((name) => !optional.includes(name))
  return { type: "object", properties: Object.fromEntries(properties), required }
}

function fromSchema(source: string, io: Io): JsonSchema {
  const isInline = source.trimStart().startsWith("{")
  const sourceName = isInline ? "the text after --form" : source
  const json = isInline ? source : readSource(source, io)
  let schema: unknown
  try {
    schema = JSON.parse(json)
  } catch (error) {
    throw wrongUse(`${sourceName} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (isObject(schema)) return schema as JsonSchema
  throw wrongUse(`${sourceName} is not a JSON Schema.`, 'Write {"type": "object", "properties": { … }}.')
}

function readSource(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), "utf8")
  } catch {
    throw wrongUse(`The file ${file} cannot be read.`, "--form takes a file with JSON Schema, or the JSON itself.")
  }
}

function optionsIn(definition: string | undefined, flag: string): readonly string[] {
  const options = (definition ?? "").split(",").flatMap((option) => option.trim() || [])
  if (options.length > 0) return options
  throw wrongUse(`--${flag} needs something to choose from.`, `Write --${flag} env=staging,production.`)
}
