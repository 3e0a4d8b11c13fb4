// What an editor's chat says besides what the agent says: questions that the editor cannot show, and refusals.

import type { Problem } from "@holdpoint/sdk"
import { plainLines } from "@holdpoint/sdk/terminal"

/** Untrusted text, without characters that change how text around them is read. */
export const plainText = (text: string): string => plainLines(text).join("\n")

/** Untrusted text for places that read Markdown: a block in which nothing is a link, an image or a heading. */
export function quoted(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(Math.max(3, longest + 1))
  return `${fence}text\n${plainText(text)}\n${fence}`
}

export interface LinkTold {
  readonly message: string
  readonly url: string
  /** The code that the person compares on the page. */
  readonly code: string | undefined
}

/** The reply waits, and this editor cannot show the question: it says where to answer. */
export function linkWords({ message, url, code }: LinkTold): string {
  const page = code === undefined ? "" : ` The page shows the code ${code}.`
  return `\n\nYour answer is needed before this goes on:\n\n${quoted(message)}\n\nAnswer at <${url}>.${page}\n\n`
}

/** The text of a link that the editor shows itself. */
export const pageWords = (message: string, code: string | undefined): string =>
  code === undefined ? message : `${message} The page shows the code ${code}.`

/** A form that is asked again. */
export function againWords(message: string, problems: readonly Problem[]): string {
  const found = problems.map(({ path, message: words }) => (path === "" ? words : `${path}: ${words}`))
  return `${message}\n\nThe last answer did not fit. ${found.join(" ")}`.trimEnd()
}

export const words = {
  underWay: "The last reply in this session is still under way. Wait for it, or stop it.",
  tooMany: "You have as many replies under way as this server allows. Wait for one to end, or stop it.",
  empty: "The message has no text and no image. Write what the agent should do.",
  failedInside: "Something failed in holdpoint. Its log has more. Nothing you sent is lost: try again.",
  brokenOff: "The reply ended without a result. Send the message again.",
  stepAgain: "\n\n*This step was interrupted and begins again.*\n\n",
  interrupted: "Interrupted.",
  denied: "Not allowed.",
  stopped: "*Stopped.*",
  noSession: (id: string) =>
    `There is no session “${plainText(id)}” of this agent. Begin a new one, or load it with the agent it belongs to.`,
} as const
