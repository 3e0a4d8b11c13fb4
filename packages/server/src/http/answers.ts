// Converts the answer that a person posted from the inbox to the hub's form. Validates nothing, because the hub does.

import type { Answer, Elicitation, Form } from "@holdpoint/hub"
import { type Acts, actsOf, readContent } from "@holdpoint/hub/forms"

export interface PostedAnswer extends Pick<Answer, "action" | "reason"> {
  readonly content?: Readonly<Record<string, unknown>>
}

export function toAnswer(elicitation: Elicitation, fields: URLSearchParams): PostedAnswer {
  const button = fields.get("do")
  if (button === "decline") return { action: "decline" }
  if (elicitation.mode === "url") return { action: "accept" }
  const form: Form = elicitation.requestedSchema
  const acts = actsOf(form)
  if (acts === undefined || (button !== "yes" && button !== "no"))
    return { action: "accept", content: readContent(form, fields) }
  if (button === "no") return toNo(acts, fields.get("reason")?.trim() ?? "")
  return { action: "accept", content: { ...acts.answers.yes, ...readContent(acts.rest, fields) } }
}

/** A No with a reason becomes a decline, because a form that is accepted cannot carry a reason. */
function toNo({ answers }: Acts, message: string): PostedAnswer {
  if (message !== "") return { action: "decline", reason: { code: "person_declined", message } }
  return answers.no === undefined ? { action: "decline" } : { action: "accept", content: answers.no }
}
