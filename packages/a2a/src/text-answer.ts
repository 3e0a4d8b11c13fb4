// Reads plain text as the answer to a form, if its meaning is unambiguous: a form with one field, or a yes-or-no
// question. Pure. Ambiguous text is not an answer.

import type { Content, Form } from "@holdpoint/hub"
import { actsOf, type Field, kindOf, optionsOf, readContent, validate, withDefaults } from "@holdpoint/hub/forms"
import { formLimits, hasMoreBytes, postedName, withoutEnd, withoutStart } from "@holdpoint/hub/internal"

/** The answer that a text gives, or the problem with the text. */
export type TextAnswer =
  | { readonly action: "accept"; readonly content: Content }
  | { readonly action: "decline" }
  | { readonly problem: string }

/**
 * Reads a text as the answer to a form. `message` is the question's message, which may contain the names of the two
 * answers.
 */
export function answerFromText(form: Form, text: string, message = ""): TextAnswer {
  // Checked before anything reads the text: a message may have megabytes, and a list of options splits it.
  if (hasMoreBytes(text, formLimits.bytes))
    return { problem: `The answer is larger than ${formLimits.bytes / 1_024} KiB.` }
  const normalised = plain(text)
  if (normalised === "") return { problem: "There is no text in the answer." }
  const acts = actsOf(form, {}, message)
  if (acts !== undefined) {
    // A bare “yes” does not agree to an act that has a name: it may be meant for an earlier question that has ended.
    const isYes = normalised === plain(acts.yes)
    const isNo = [plain(acts.no), "no"].includes(normalised)
    if (isNo && !isYes) return acts.answers.no ? toTextAnswer(form, acts.answers.no) : { action: "decline" }
    if (isYes && !isNo) return toTextAnswer(form, { ...withDefaults(acts.rest), ...acts.answers.yes })
    return { problem: `It is not clear whether that is “${acts.yes}” or “${acts.no}”.` }
  }
  const [first, ...otherFields] = Object.entries(form.properties)
  if (first === undefined || otherFields.length > 0) return { problem: "A text cannot say which field it is for." }
  const [name, field] = first
  const content = contentOf(form, { name, field, text: text.trim() })
  return content === undefined
    ? { problem: "The text is not one of the options, or could be more than one." }
    : toTextAnswer(form, content)
}

function toTextAnswer(form: Form, content: Readonly<Record<string, unknown>>): TextAnswer {
  const result = validate(form, content)
  if (result.ok) return { action: "accept", content: result.content }
  return { problem: result.problems.map((one) => one.message).join(" ") }
}

interface TextField {
  readonly name: string
  readonly field: Field
  readonly text: string
}

/**
 * Converts a text to the content of a form with one field. Undefined when the text names no option, or may mean
 * several.
 */
function contentOf(form: Form, { name, field, text }: TextField): Readonly<Record<string, unknown>> | undefined {
  switch (kindOf(field)) {
    case "choice": {
      const option = optionFinder(field)(text)
      return option === undefined ? undefined : { [name]: option }
    }
    case "choices": {
      const findOption = optionFinder(field)
      const wholeText = findOption(text)
      const options = wholeText === undefined ? text.split(/[,\n]/).map(findOption) : [wholeText]
      return options.includes(undefined) ? undefined : { [name]: [...new Set(options)] }
    }
    case "boolean": {
      const isYes = ["yes", "true"].includes(plain(text))
      return isYes || ["no", "false"].includes(plain(text)) ? { [name]: isYes } : undefined
    }
    case "number":
    case "integer":
    case "text":
      return readContent(form, new URLSearchParams([[postedName(name), text]]))
  }
}

/**
 * Finds the value of the only option with this value or title, ignoring case. An exact value takes precedence. The
 * options are read once, because a text may name thousands of them.
 */
function optionFinder(field: Field): (text: string) => string | undefined {
  const values = new Set<string>()
  const valuesByWords = new Map<string, Set<string>>()
  for (const { const: value, title } of optionsOf(field) ?? []) {
    values.add(value)
    for (const words of [plain(value), plain(title)])
      valuesByWords.set(words, (valuesByWords.get(words) ?? new Set()).add(value))
  }
  return (text) => {
    const exact = text.trim()
    if (values.has(exact)) return exact
    const [match, ...otherMatches] = valuesByWords.get(plain(text)) ?? []
    return otherMatches.length === 0 ? match : undefined
  }
}

/** Normalises a text: lower case, without the quotation marks and the full stop that people add. */
const plain = (text: string): string => withoutEnd(withoutStart(text.trim().toLowerCase(), /["'“”‘’]/), /["'“”‘’.!]/)
