// Whether a form is a yes-or-no question, and how its two buttons are called. Pure.

import { decisionOf, wordsOf } from "../core/decision.ts"
import type { Content, Form } from "../core/form.ts"
import { englishTexts, type FormTexts } from "./texts.ts"

/** A yes-or-no question as two buttons that name the acts. */
export interface Acts {
  readonly yes: string
  readonly no: string
  /** What the form says of the decision and the buttons do not: to be shown above them. */
  readonly about?: string
  /** The content of each answer, to which a yes adds that of the rest. */
  readonly answers: { readonly yes: Content; readonly no: Content }
  /** The fields that remain, such as arguments that can be edited. */
  readonly rest: Form
}

/**
 * Reads a form as a yes-or-no question: one with the choice `confirmed` of “yes” and “no”, or with nothing but one
 * required field for a yes or no. Undefined for every other form.
 */
export function actsOf(form: Form, texts: Partial<FormTexts> = {}): Acts | undefined {
  const decision = decisionOf(form)
  if (decision === undefined) return undefined
  const { name, field, values } = decision
  const plain = { ...englishTexts, ...texts }
  const { yes, no } = wordsOf(decision, plain)
  const { [name]: _decision, ...properties } = form.properties
  const required = form.required?.filter((one) => one !== name) ?? []
  // The title of a choice is a heading for its options; that of a single box is what the person says yes to.
  const isSaid = field.type !== "boolean" || yes !== plain.yes || field.title?.toLowerCase() === "yes"
  return {
    yes,
    no,
    ...aboutOf(isSaid ? undefined : field.title, field.description),
    answers: { yes: { [name]: values.yes }, no: { [name]: values.no } },
    rest: { type: "object", properties, ...(required.length > 0 && { required }) },
  }
}

function aboutOf(...said: readonly (string | undefined)[]): { readonly about?: string } {
  const about = said.filter((one) => one !== undefined && one !== "").join("\n")
  return about === "" ? {} : { about }
}
