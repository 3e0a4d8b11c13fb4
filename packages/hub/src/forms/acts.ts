// Decides whether a form is a yes-or-no question, and names its two buttons. Pure.

import { type ActWords, actWordsIn } from "../core/act-words.ts"
import { type Decision, decisionOf, wordsOf } from "../core/decision.ts"
import type { Content, Form } from "../core/form.ts"
import { englishTexts, type FormTexts } from "./texts.ts"

/** A yes-or-no question as two buttons that name the acts. */
export interface Acts {
  readonly yes: string
  readonly no: string
  /** The form's words about the decision that are not on the buttons, to be shown above them. */
  readonly about?: string
  /** The content of each answer. A yes also sends the content of `rest`. Without `no`, a no is a decline. */
  readonly answers: { readonly yes: Content; readonly no?: Content }
  /** The fields that remain, such as arguments that can be edited. */
  readonly rest: Form
}

/**
 * Reads a form as a yes-or-no question: one with the choice `confirmed` of “yes” and “no”, with nothing but one
 * required field for a yes or no, or without fields. Undefined for every other form. Words that the form does not give
 * are made from the message, if there is one, else taken from `texts`.
 */
export function actsOf(form: Form, texts: Partial<FormTexts> = {}, message = ""): Acts | undefined {
  const { yes, no } = { ...englishTexts, ...texts }
  const decision = decisionOf(form)
  // A box with a title of its own, “I have read it”, may ask for something else than the message.
  const defaultWords = (titleOf(decision) === undefined ? actWordsIn(message) : undefined) ?? { yes, no }
  if (decision !== undefined) return actsOfDecision(form, decision, defaultWords)
  return Object.keys(form.properties).length === 0 ? { ...defaultWords, answers: { yes: {} }, rest: form } : undefined
}

/** The title of a single box, unless it is merely “Yes”. */
function titleOf(decision: Decision | undefined): string | undefined {
  const title = decision?.field.type === "boolean" ? decision.field.title : undefined
  return title?.toLowerCase() === "yes" ? undefined : title
}

function actsOfDecision(form: Form, decision: Decision, defaultWords: ActWords): Acts {
  const { name, field, values } = decision
  const words = wordsOf(decision, defaultWords)
  const { [name]: _decision, ...properties } = form.properties
  const required = form.required?.filter((fieldName) => fieldName !== name) ?? []
  const isOnlyDecision = Object.keys(properties).length === 0
  return {
    ...words,
    ...toAbout(words === defaultWords ? titleOf(decision) : undefined, field.description),
    answers: { yes: { [name]: values.yes }, ...(isOnlyDecision && { no: { [name]: values.no } }) },
    rest: { type: "object", properties, ...(required.length > 0 && { required }) },
  }
}

function toAbout(...lines: readonly (string | undefined)[]): { readonly about?: string } {
  const about = lines.filter((line) => line !== undefined && line !== "").join("\n")
  return about === "" ? {} : { about }
}
