// Yes or no, as a form that every client shows well: a choice of two acts, each with its name. Pure. A box to tick was
// asked for in its place once, and is still read.

import type { Content, Form } from "./form.ts"
import { choice, form, optionsOf, yesNo } from "./form.ts"

/** What the two answers are called: “Delete it”, “Keep it”. */
export interface ConfirmWords {
  readonly yes?: string
  readonly no?: string
}

export const confirmForm = ({ yes = "Yes", no = "No" }: ConfirmWords = {}): Form =>
  form({ confirmed: choice({ yes, no }, { title: "Your answer" }) })

/** As it was before: clients that press Accept without ticking it send `cancel`, or nothing. */
export const tickForm: Form = form({ confirmed: yesNo({ title: "Yes" }) })

export const isYes = ({ confirmed }: Content): boolean => confirmed === "yes" || confirmed === true

/** The No of a person who answered a confirmation, in place of declining it. */
export function isNo(asked: Form, content: unknown): boolean {
  const given = confirmedIn(asked, content)
  return given === "no" || given === false
}

/** What clients that know the box answer: a boolean counts as the act that it means. */
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
