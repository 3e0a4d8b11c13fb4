// Writes a question as text, for clients that show no forms: the message, and the possible answers. Pure.

import type { Form } from "@holdpoint/hub"
import type { Field } from "@holdpoint/hub/forms"
import { actsOf, kindOf, optionsOf } from "@holdpoint/hub/forms"
import { englishTexts, hintOf } from "@holdpoint/hub/internal"
import type { StreamEvent } from "@holdpoint/hub/stream"

/** The text of a question, or of its end, for a person. */
export function questionWords(question: StreamEvent): string {
  const { message, mode, url, requestedSchema } = question
  if (question.type === "elicitation-resolved") return `${message}\n\n${endWords(question)}`
  if (mode === "url")
    return `${message}\n\nOpen ${url ?? ""} to continue. The task continues automatically when you have finished there.`
  return `${message}\n\n${formWords(requestedSchema ?? emptyForm, message)}`
}

/** The text about the end of a question. */
export const endWords = ({
  status,
  reason,
}: Pick<StreamEvent, "status"> & { readonly reason?: { message?: string } }) =>
  `This question is over: ${status}${reason?.message === undefined ? "" : ` (${reason.message})`}.`

const emptyForm: Form = { type: "object", properties: {} }

/** The text about the possible answers to a form. */
export function formWords(form: Form, message = ""): string {
  const acts = actsOf(form, {}, message)
  const fields = Object.entries(form.properties)
  if (acts !== undefined && Object.keys(acts.rest.properties).length === 0)
    return [...(acts.about === undefined ? [] : [acts.about]), `Answer “${acts.yes}” or “${acts.no}”.`].join("\n\n")
  const [first] = fields
  if (first !== undefined && fields.length === 1) return `Answer with ${fieldWords(first, form)}.`
  const lines = fields.map((field) => `- ${field[0]}: ${fieldWords(field, form)}`)
  return `Answer with a data part whose content has these fields:\n${lines.join("\n")}`
}

function fieldWords([name, field]: readonly [string, Field], form: Form): string {
  const kind = kindWords(field)
  const limits = lowerFirst(hintOf(field, englishTexts, "")).replace(/\.$/, "")
  const isKindInLimits = limits.startsWith(kind)
  const required = form.required?.includes(name) === true ? "required" : "optional"
  const details = [titleOf(name, field), field.description ?? "", isKindInLimits ? "" : limits, required]
  return `${isKindInLimits ? limits : kind} (${details.filter((one) => one !== "").join("; ")})`
}

const titleOf = (name: string, { title = "" }: Field): string => (title === name ? "" : title)

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function kindWords(field: Field): string {
  switch (kindOf(field)) {
    case "boolean":
      return "yes or no"
    case "choice":
      return `one of ${optionWords(field)}`
    case "choices":
      return `any of ${optionWords(field)}`
    case "number":
      return "a number"
    case "integer":
      return "a whole number"
    case "text":
      return "format" in field && field.format !== undefined ? formatWords[field.format] : "a text"
  }
}

const formatWords = {
  email: "an email address",
  uri: "a web address",
  date: "a date (such as 2026-01-31)",
  "date-time": "a date and time (such as 2026-01-31T09:30:00Z)",
} as const

const optionWords = (field: Field): string =>
  (optionsOf(field) ?? [])
    .map(({ const: value, title }) => (title === value || title === "" ? `“${value}”` : `“${title}” (${value})`))
    .join(", ")
