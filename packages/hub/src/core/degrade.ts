// Rewrites a form for a client that can show less: the same questions in an older shape, or a refusal that names each
// unsupported field. Every answer to the rewritten form answers the original; no field is ever dropped.

import { countCharacters } from "./characters.ts"
import type { Problem } from "./error.ts"
import { type Field, type Form, type Kind, kindOf, optionsOf } from "./form.ts"

/** The revisions of MCP that have forms. */
export type Revision = "2025-06-18" | "2025-11-25" | "2026-07-28"

/** What a client can show: its revision of MCP and, if fewer, the kinds of fields. */
export interface Abilities {
  readonly revision: Revision
  /** The field kinds that this client shows. Default: all of its revision. */
  readonly kinds?: readonly Kind[]
}

/** The form as a client can show it, or why it cannot. */
export type Degraded =
  | { readonly ok: true; readonly form: Form }
  | { readonly ok: false; readonly problems: readonly Problem[] }

interface Vocabulary {
  readonly kinds: readonly Kind[]
  /** The kinds that may carry a default. */
  readonly defaults: readonly Kind[]
  /**
   * How a choice may carry titles. `either`: as `oneOf` or as the deprecated `enumNames`, so titles stay as the author
   * wrote them.
   */
  readonly titles: "enumNames" | "either"
}

const allKinds: readonly Kind[] = ["text", "number", "integer", "boolean", "choice", "choices"]
const sep1330Vocabulary: Vocabulary = { kinds: allKinds, defaults: allKinds, titles: "either" }

const vocabularies: Readonly<Record<Revision, Vocabulary>> = {
  "2025-06-18": {
    kinds: ["text", "number", "integer", "boolean", "choice"],
    defaults: ["boolean"],
    titles: "enumNames",
  },
  "2025-11-25": sep1330Vocabulary,
  "2026-07-28": sep1330Vocabulary,
}

const alternatives: Readonly<Record<Kind, string>> = {
  text: "Offer the usual answers as a choice.",
  number: "Ask for it as text and check the answer yourself.",
  integer: "Ask for it as text and check the answer yourself.",
  boolean: "Offer “yes” and “no” as a choice.",
  choice: "Ask for it as text, with the choices in the description.",
  choices: "Use one yes-or-no field per option, or ask in a client that supports multiple choice.",
}

const kindWords: Readonly<Record<Kind, string>> = {
  text: "text fields",
  number: "number fields",
  integer: "whole-number fields",
  boolean: "yes-or-no fields",
  choice: "choices",
  choices: "multiple choice",
}

/** Rewrites a form for a client that shows less, or says what that client cannot show. */
export function degrade(form: Form, abilities: Abilities): Degraded {
  const vocabulary = vocabularies[abilities.revision]
  const supported = vocabulary.kinds.filter((kind) => abilities.kinds?.includes(kind) ?? true)
  const fields = Object.entries(form.properties)
  const problems = fields.flatMap(([name, field]) =>
    supported.includes(kindOf(field)) ? [] : [cannotShow(name, field, kindOf(field))],
  )
  if (problems.length > 0) return { ok: false, problems }
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, withDefault(withTitles(field, vocabulary), vocabulary)]),
  )
  return { ok: true, form: { ...form, properties } }
}

function cannotShow(name: string, field: Field, kind: Kind): Problem {
  return {
    path: `properties.${name}`,
    message: `This client cannot show “${field.title || name}”: it does not support ${kindWords[kind]}.`,
    suggestion: alternatives[kind],
  }
}

function withTitles(field: Field, vocabulary: Vocabulary): Field {
  if (vocabulary.titles === "either" || !("oneOf" in field)) return field
  const { oneOf: options, ...rest } = field
  return { ...rest, enum: options.map((option) => option.const), enumNames: options.map((option) => option.title) }
}

/** Moves a default that the client cannot receive into the field's description, cut to 200 characters. */
function withDefault(field: Field, vocabulary: Vocabulary): Field {
  if (field.default === undefined || vocabulary.defaults.includes(kindOf(field))) return field
  const { default: value, ...rest } = field
  const option = optionsOf(field)?.find((option) => option.const === value)
  const words = option?.title ?? String(value)
  const shortWords = countCharacters(words) > 200 ? `${[...words].slice(0, 200).join("")}…` : words
  const sentence = `Default: ${shortWords}`
  return { ...rest, description: field.description ? `${field.description}\n${sentence}` : sentence } as Field
}
