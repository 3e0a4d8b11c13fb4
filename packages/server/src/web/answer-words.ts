// Texts about a person's answer and where it was given. Never contains the content of an answer: only the label of the
// chosen button of a confirmation, and nothing of any other form.

import type { AskingClient, Elicitation } from "@holdpoint/hub"
import { decisionOf, wordsOf, yesOrNoIn } from "@holdpoint/hub/internal"

/** The label of the chosen button. Undefined for a form that is not a confirmation, or if the choice is unknown. */
export function buttonLabelOf(elicitation: Elicitation): string | undefined {
  if (elicitation.mode !== "form" || elicitation.status !== "completed") return undefined
  const { requestedSchema, content } = elicitation
  // Answers that were stored before `said` existed have only their content, until it is deleted.
  const yesOrNo = elicitation.said ?? (content === undefined ? undefined : yesOrNoIn(requestedSchema, content))
  const decision = decisionOf(requestedSchema)
  return yesOrNo && decision && wordsOf(decision)[yesOrNo]
}

/** The text about where a question was answered, such as “in the browser”. Omits session ids in `via`. */
export function viaWords(via: string, client: AskingClient | undefined): string {
  const [surface = ""] = via.split(" ")
  if (surface === "mcp") return client === undefined ? "in the program that asked" : `in “${client.name}”`
  return placeWords[via] ?? `through “${via}”`
}

const placeWords: Readonly<Record<string, string>> = {
  web: "in the browser",
  terminal: "in the terminal",
  command: "with the holdpoint command",
  "run api": "in the chat",
  a2a: "through another agent",
}
