// Whether a form is a yes-or-no question, and how its two buttons are called. Pure.

import { actsTitled } from "../core/act-words.ts"
import type { BooleanField, Content, Form } from "../core/form.ts"
import { optionsOf } from "../core/form.ts"
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
  const names = Object.keys(form.properties)
  const name = names.length === 1 ? names[0] : "confirmed"
  const field = name === undefined ? undefined : form.properties[name]
  if (name === undefined || field === undefined || form.required?.includes(name) !== true) return undefined
  const plain = { ...englishTexts, ...texts }
  if (field.type === "boolean") return names.length === 1 ? actsOfBoolean(name, field, plain) : undefined
  const [yes, no, ...more] = (field.type === "string" && optionsOf(field)) || []
  if (yes?.const !== "yes" || no?.const !== "no" || more.length > 0) return undefined
  const { [name]: _decision, ...properties } = form.properties
  const required = form.required.filter((one) => one !== name)
  return {
    yes: yes.title === "yes" ? plain.yes : yes.title,
    no: no.title === "no" ? plain.no : no.title,
    ...aboutOf(field.description),
    answers: { yes: { [name]: "yes" }, no: { [name]: "no" } },
    rest: { type: "object", properties, ...(required.length > 0 && { required }) },
  }
}

function actsOfBoolean(name: string, { title, description }: BooleanField, { yes, no }: FormTexts): Acts {
  const words = actsTitled(title ?? name)
  const isSaid = words !== undefined || title?.toLowerCase() === "yes"
  return {
    ...(words ?? { yes, no }),
    ...aboutOf(isSaid ? undefined : title, description),
    answers: { yes: { [name]: true }, no: { [name]: false } },
    rest: { type: "object", properties: {} },
  }
}

function aboutOf(...said: readonly (string | undefined)[]): { readonly about?: string } {
  const about = said.filter((one) => one !== undefined && one !== "").join("\n")
  return about === "" ? {} : { about }
}
