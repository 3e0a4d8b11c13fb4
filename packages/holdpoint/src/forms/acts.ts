// Whether a form is a yes-or-no question, and how its two buttons are called. Pure.

import { actsTitled } from "../core/act-words.ts"
import type { Content, Field, Form } from "../core/form.ts"
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
 * required yes-or-no field. Undefined for every other form.
 */
export function actsOf(form: Form, texts: Partial<FormTexts> = {}): Acts | undefined {
  const { yes, no } = { ...englishTexts, ...texts }
  const { confirmed, ...others } = form.properties
  const [first, ...more] = Object.entries(form.properties)
  if (confirmed !== undefined && isRequired(form, "confirmed") && isYesOrNo(confirmed)) {
    const [first, second] = optionsOf(confirmed)?.map(({ const: value, title }) => (title === value ? "" : title)) ?? []
    const required = form.required?.filter((name) => name !== "confirmed") ?? []
    return {
      yes: first || yes,
      no: second || no,
      ...aboutOf(confirmed.description),
      answers: { yes: { confirmed: "yes" }, no: { confirmed: "no" } },
      rest: { type: "object", properties: others, ...(required.length > 0 && { required }) },
    }
  }
  if (first === undefined || more.length > 0) return undefined
  const [name, field] = first
  if (field.type !== "boolean" || !isRequired(form, name)) return undefined
  const title = field.title ?? name
  const words = actsTitled(title)
  const isSaid = words !== undefined || title.toLowerCase() === "yes" || field.title === undefined
  return {
    ...(words ?? { yes, no }),
    ...aboutOf(isSaid ? undefined : field.title, field.description),
    answers: { yes: { [name]: true }, no: { [name]: false } },
    rest: { type: "object", properties: {} },
  }
}

const isRequired = ({ required }: Form, name: string): boolean => required?.includes(name) ?? false

const isYesOrNo = (field: Field): boolean =>
  field.type === "string" &&
  optionsOf(field)
    ?.map((option) => option.const)
    .join() === "yes,no"

function aboutOf(...said: readonly (string | undefined)[]): { readonly about?: string } {
  const about = said.filter((one) => one !== undefined && one !== "").join("\n")
  return about === "" ? {} : { about }
}
