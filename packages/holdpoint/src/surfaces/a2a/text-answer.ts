// Plain text as the answer to a form, where it can mean one thing alone: a form with one field, or a yes-or-no question.
// Pure. Text that may mean several things answers nothing.

import { type Content, type Field, type Form, kindOf, optionsOf, withDefaults } from "../../core/form.ts"
import { validate } from "../../core/validate.ts"
import { actsOf } from "../../forms/acts.ts"
import { postedName, readContent } from "../../forms/content.ts"

/** What a text answers, or why it does not. */
export type TextAnswer =
  | { readonly action: "accept"; readonly content: Content }
  | { readonly action: "decline" }
  | { readonly problem: string }

/** Reads a text as the answer to a form. `message` is that of the question, from which two acts may have their names. */
export function answerFromText(form: Form, text: string, message = ""): TextAnswer {
  const said = plain(text)
  if (said === "") return { problem: "There is no text in the answer." }
  const acts = actsOf(form, {}, message)
  if (acts !== undefined) {
    // A bare “yes” agrees to no act that has a name: it may have been meant for a question that is over by now.
    const isYes = said === plain(acts.yes)
    const isNo = [plain(acts.no), "no"].includes(said)
    if (isNo && !isYes) return acts.answers.no ? checked(form, acts.answers.no) : { action: "decline" }
    if (isYes && !isNo) return checked(form, { ...withDefaults(acts.rest), ...acts.answers.yes })
    return { problem: `It is not clear whether that is “${acts.yes}” or “${acts.no}”.` }
  }
  const [first, ...others] = Object.entries(form.properties)
  if (first === undefined || others.length > 0) return { problem: "A text cannot say which field it is for." }
  const [name, field] = first
  const content = contentOf(form, { name, field, text: text.trim() })
  return content === undefined
    ? { problem: "The text is not one of the options, or could be more than one." }
    : checked(form, content)
}

function checked(form: Form, content: Readonly<Record<string, unknown>>): TextAnswer {
  const result = validate(form, content)
  if (result.ok) return { action: "accept", content: result.content }
  return { problem: result.problems.map((one) => one.message).join(" ") }
}

interface Given {
  readonly name: string
  readonly field: Field
  readonly text: string
}

/** Undefined when the text names no option, or more than one could be meant. */
function contentOf(form: Form, { name, field, text }: Given): Readonly<Record<string, unknown>> | undefined {
  switch (kindOf(field)) {
    case "choice": {
      const chosen = optionFor(field, text)
      return chosen === undefined ? undefined : { [name]: chosen }
    }
    case "choices": {
      const whole = optionFor(field, text)
      const chosen = whole === undefined ? text.split(/[,\n]/).map((one) => optionFor(field, one)) : [whole]
      return chosen.includes(undefined) ? undefined : { [name]: [...new Set(chosen)] }
    }
    case "boolean": {
      const yes = ["yes", "true"].includes(plain(text))
      return yes || ["no", "false"].includes(plain(text)) ? { [name]: yes } : undefined
    }
    case "number":
    case "integer":
    case "text":
      return readContent(form, new URLSearchParams([[postedName(name), text]]))
  }
}

/** The value of the one option with this value or title, in any case. A value as it is written wins. */
function optionFor(field: Field, text: string): string | undefined {
  const options = optionsOf(field) ?? []
  if (options.some((option) => option.const === text.trim())) return text.trim()
  const found = options.filter((option) => [plain(option.const), plain(option.title)].includes(plain(text)))
  return found.length === 1 ? found[0]?.const : undefined
}

/** Without case, quotation marks and a full stop, which people add. */
const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^["'“”‘’]+|["'“”‘’.!]+$/g, "")
