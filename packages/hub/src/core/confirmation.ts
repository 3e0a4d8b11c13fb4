// A yes-or-no question as a form that every client shows well: a choice of two labelled answers. Pure. `true` and
// `false` are understood as answers, too.

import { actWordsIn } from "./act-words.ts"
import { decisionOf, yesOrNoIn } from "./decision.ts"
import type { Content, Form } from "./form.ts"
import { choice, form } from "./form.ts"

/** The labels of the two answers: “Delete it”, “Keep it”. */
export interface ConfirmWords {
  readonly yes?: string
  readonly no?: string
}

/**
 * The form of a yes-or-no question, whose answer is `confirmed`: “yes” or “no”. Words that the author does not give are
 * made from the message, if it begins with an act: “Delete the note?”
 */
export function confirmForm(words: ConfirmWords = {}, message = ""): Form {
  const namedActs = actWordsIn(message)
  const yes = words.yes ?? namedActs?.yes ?? "Yes"
  const no = words.no ?? namedActs?.no ?? "No"
  return form({ confirmed: choice({ yes, no }, { title: "Your answer" }) })
}

export const isYes = ({ confirmed }: Content): boolean => confirmed === "yes" || confirmed === true

/** Whether the person answered with No (as opposed to declining). */
export const isNo = (form: Form, content: unknown): boolean => yesOrNoIn(form, content) === "no"

/** Converts `true` and `false` to “yes” and “no”. Returns other content unchanged. */
export function toConfirmed(form: Form, content: unknown): unknown {
  const decision = decisionOf(form)
  const yesOrNo = yesOrNoIn(form, content)
  if (decision === undefined || yesOrNo === undefined || decision.field.type === "boolean") return content
  return { ...(content as object), [decision.name]: yesOrNo }
}
