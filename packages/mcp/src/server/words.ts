// The texts that people and models read.

import type { Elicitation, Problem } from "@holdpoint/hub"
import { displayHost } from "@holdpoint/hub/forms"

/** A link that a person has to visit, to answer a question, before the call can continue. */
export interface Link {
  readonly elicitation: string
  readonly message: string
  readonly url: string
}

/** The text for the model of a client that cannot ask, or whose call ended before the person answered. */
export function linkWords(links: readonly Link[], isAgain: boolean): string {
  if (links.length === 0)
    return (
      "The user has not answered yet. Tell them that their answer is needed, and call again when they are available, with " +
      "exactly the same arguments. Calling again before that is useless."
    )
  const hasSeveral = links.length > 1
  const opening = isAgain
    ? `The user has not finished ${hasSeveral ? "these steps" : "this step"} yet.`
    : `The user has to do something first; this client cannot ask them, so please do.`
  const steps = links.map(({ message, url }) => `- ${message}\n  ${url}`)
  return [
    opening,
    ...steps,
    `Give the user ${hasSeveral ? "these links" : "this link"} and wait until they say that they are done. Then call again with ` +
      "exactly the same arguments: the call continues from here. Calling again before that is useless.",
  ].join("\n")
}

/** For a request that the storage failed. */
export const storeWords =
  "The server cannot reach its database now, so this call did not end. Call again in a moment: what was done is not done again."

/** The text when this process closes, and could not store what the call has done. */
export const unstoredWords =
  "The server is stopping and cannot reach its database. It is unknown whether everything in this call was done. Check what was done before you call again."

/** The text for the model of a client whose call is held when the server stops. */
export const stopWords =
  "The server is stopping while the user is being asked. Nothing is lost: the question stays open, and what was done is not " +
  "done again. Call again in a moment with exactly the same arguments, and the call continues from here."

/** The text of a link inside a form, for clients that support only forms. */
export function acknowledgeWords(message: string, url: string): string {
  return `${message}\n\nOpen this address (${displayHost(url)}) in your browser and finish there, then come back and confirm:\n${url}`
}

/** The text of a repeated question, with the problems of the last answer. */
export function againWords(message: string, problems: readonly Problem[]): string {
  const problemTexts = problems.map(({ path, message: words }) => (path === "" ? words : `${path}: ${words}`))
  const reason =
    problemTexts.length === 0
      ? "The last answer did not fit."
      : `The last answer did not fit. ${problemTexts.join(" ")}`
  return `${message}\n\n${reason}`
}

/** A step of a question. `going`: the person agreed, in the client, to open the page, and to nothing else yet. */
export type Step = "asked" | "going" | "opened" | "signed in" | "agreed" | "done"

/** The progress text that each heartbeat sends while the call waits for the person. */
export const stillWords = ({ message }: Elicitation): string => `Still waiting for the user: ${message}`

/** The text about a step of a question, for a person who watches the call. */
export function progressWords(elicitation: Elicitation, step: Step): string {
  const isAccount = elicitation.context.trigger === "credential_required"
  switch (step) {
    case "asked":
      return `Asked: ${elicitation.message}`
    case "going":
      return "Agreed to open the page."
    case "opened":
      return "The page was opened."
    case "signed in":
      return "Signed in."
    case "agreed":
      return isAccount ? "Agreed to connect." : "Agreed."
    case "done":
      return isAccount ? "Connected." : "Answered."
  }
}
