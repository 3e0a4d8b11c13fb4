// The texts in an editor's chat that do not come from the agent: links to questions, and errors.

import type { Problem } from "@holdpoint/hub"
import { plainLines } from "@holdpoint/terminal"

/** Untrusted text, without characters that change how text around them is read. */
export const plainText = (text: string): string => plainLines(text).join("\n")

/** Untrusted text for places that read Markdown: a block in which nothing is a link, an image or a heading. */
export function quoted(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(Math.max(3, longest + 1))
  return `${fence}text\n${plainText(text)}\n${fence}`
}

/** A question that the editor cannot show, and the page where the person answers it. */
export interface QuestionLink {
  readonly message: string
  readonly url: string
  /** The code that the person compares on the page. */
  readonly code: string | undefined
}

/** The text of the chat for a question that the editor cannot show: the question, and where to answer it. */
export function linkWords({ message, url, code }: QuestionLink): string {
  const page = code === undefined ? "" : ` The page shows the code ${code}.`
  return `\n\nYour answer is needed before this continues:\n\n${quoted(message)}\n\nAnswer at <${url}>.${page}\n\n`
}

/** The message of a link that the editor itself shows. */
export const pageWords = (message: string, code: string | undefined): string =>
  code === undefined ? message : `${message} The page shows the code ${code}.`

/** The message of a form that is asked again, with the problems of the last answer. */
export function againWords(message: string, problems: readonly Problem[]): string {
  const details = problems.map(({ path, message: text }) => (path === "" ? text : `${path}: ${text}`))
  return `${message}\n\nThe last answer did not fit. ${details.join(" ")}`.trimEnd()
}

export const words = {
  underWay: "The last reply in this session is still in progress. Wait for it, or stop it.",
  tooMany: "You have as many replies in progress as this server allows. Wait for one to end, or stop it.",
  empty: "The message has no text and no image. Write what the agent should do.",
  failedInside:
    "Holdpoint failed to handle this message; its log has the details. Nothing you sent is lost: try again.",
  stepAgain: "\n\n*This step was interrupted and begins again.*\n\n",
  interrupted: "Interrupted.",
  denied: "Not allowed.",
  stopped: "*Stopped.*",
  noSession: (id: string) =>
    `There is no session “${plainText(id)}” of this agent. Begin a new one, or load it with the agent it belongs to.`,
} as const
