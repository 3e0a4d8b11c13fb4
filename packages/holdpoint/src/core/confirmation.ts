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
