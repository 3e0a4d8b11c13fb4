// A yes-or-no question as a form that every client shows well: a choice of two named acts. Pure. The former checkbox is
// still understood.

import type { Content, Form } from "./form.ts"
import { choice, form, optionsOf, yesNo } from "./form.ts"

/** The labels of the two answers: “Delete it”, “Keep it”. */
export interface ConfirmWords {
  readonly yes?: string
  readonly no?: string
}

export const confirmForm = ({ yes = "Yes", no = "No" }: ConfirmWords = {}): Form =>
  form({ confirmed: choice({ yes, no }, { title: "Your answer" }) })

/** The former checkbox: when Accept is pressed without ticking it, clients send `cancel` or leave it out. */
export const tickForm: Form = form({ confirmed: yesNo({ title: "Yes" }) })

/** The two answers of a confirmation. */
export type Said = "yes" | "no"

/** The labels of a confirmation's two answers; undefined for a form that asks for something else. */
export function confirmWordsOf({ properties }: Form): Required<ConfirmWords> | undefined {
  const { confirmed, ...others } = properties
  if (confirmed === undefined) return undefined
  const options = optionsOf(confirmed) ?? []
  if (options.map((option) => option.const).join() === "yes,no")
    return { yes: options[0]?.title ?? "Yes", no: options[1]?.title ?? "No" }
  return confirmed.type === "boolean" && Object.keys(others).length === 0 ? { yes: "Yes", no: "No" } : undefined
}

/** Which of the two answers this content is; undefined when the form is not a confirmation. */
export function saidIn(asked: Form, content: Content): Said | undefined {
  if (confirmWordsOf(asked) === undefined) return undefined
  return isYes(content) ? "yes" : "no"
}

export const isYes = ({ confirmed }: Content): boolean => confirmed === "yes" || confirmed === true

/** Whether the person answered the confirmation with No (as opposed to declining it). */
export function isNo(asked: Form, content: unknown): boolean {
  const given = confirmedIn(asked, content)
  return given === "no" || given === false
}

/** Converts the boolean of clients that know the checkbox to the matching choice. */
export function toConfirmed(asked: Form, content: unknown): unknown {
  const given = confirmedIn(asked, content)
  const isChoice = asked.properties.confirmed?.type === "string"
  return isChoice && typeof given === "boolean" ? { confirmed: given ? "yes" : "no" } : content
}

function confirmedIn({ properties }: Form, content: unknown): unknown {
  const { confirmed, ...others } = properties
  if (confirmed === undefined || Object.keys(others).length > 0) return undefined
  const values = optionsOf(confirmed)?.map((option) => option.const)
  if (confirmed.type !== "boolean" && values?.join() !== "yes,no") return undefined
  return typeof content === "object" && content !== null && "confirmed" in content ? content.confirmed : undefined
}
