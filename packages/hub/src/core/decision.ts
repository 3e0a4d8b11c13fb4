// Whether a form is a yes-or-no question, which of its fields decides, and what its two answers are called. Pure.

import { type ActWords, actWordsOf } from "./act-words.ts"
import type { Content, Field, Form } from "./form.ts"
import { optionsOf } from "./form.ts"

/** The two answers of a yes-or-no question. */
export type YesOrNo = "yes" | "no"

export interface Decision {
  /** The name of the field that decides. */
  readonly name: string
  readonly field: Field
  readonly values: Readonly<Record<YesOrNo, string | boolean>>
}

/**
 * The decision that a form asks for: the required choice `confirmed` of “yes” and “no”, or the one field of a form, if
 * it is required and asks for yes or no. Undefined for every other form.
 */
export function decisionOf({ properties, required }: Form): Decision | undefined {
  const names = Object.keys(properties)
  const isOnlyField = names.length === 1
  const name = isOnlyField ? names[0]! : "confirmed"
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (field === undefined || required?.includes(name) !== true) return undefined
  if (field.type === "boolean") return isOnlyField ? { name, field, values: { yes: true, no: false } } : undefined
  const choices = field.type === "string" ? optionsOf(field)?.map((option) => option.const) : undefined
  return choices?.join() === "yes,no" ? { name, field, values: { yes: "yes", no: "no" } } : undefined
}

/** The labels of a decision's two answers. `defaultWords` are used where the form gives none. */
export function wordsOf({ name, field }: Decision, defaultWords: ActWords = { yes: "Yes", no: "No" }): ActWords {
  if (field.type === "boolean") return actWordsOf(field.title ?? name) ?? defaultWords
  const [yes, no] = optionsOf(field) ?? []
  const titleOf = (answer: YesOrNo, title = ""): string =>
    title === "" || title === answer ? defaultWords[answer] : title
  return { yes: titleOf("yes", yes?.title), no: titleOf("no", no?.title) }
}

/** Whether the content answers “yes” or “no”. Undefined when it is neither, or the form asks for something else. */
export function yesOrNoIn(form: Form, content: unknown): YesOrNo | undefined {
  const decision = decisionOf(form)
  if (decision === undefined || typeof content !== "object" || content === null) return undefined
  const value = (content as Content)[decision.name]
  if (value === "yes" || value === true) return "yes"
  return value === "no" || value === false ? "no" : undefined
}
