// The words for what a person said to a question, and where. Never the content of an answer: of a confirmation the label
// of the chosen act, of any other form nothing.

import { decisionOf, wordsOf, yesOrNoIn } from "../../core/decision.ts"
import type { AskingClient, Elicitation } from "../../core/elicitation.ts"

/** The label of the act that was chosen; undefined for a form that is not a confirmation, or if it is not known. */
export function saidWordsOf(elicitation: Elicitation): string | undefined {
  if (elicitation.mode !== "form" || elicitation.status !== "completed") return undefined
  const { requestedSchema, content } = elicitation
  // Answers from before `said` was stored have only their content, until it is forgotten.
  const yesOrNo = elicitation.said ?? (content === undefined ? undefined : yesOrNoIn(requestedSchema, content))
  const decision = decisionOf(requestedSchema)
  return yesOrNo && decision && wordsOf(decision)[yesOrNo]
}

/** Where it was answered: “in the browser”. Session ids in `via` are left out. */
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
