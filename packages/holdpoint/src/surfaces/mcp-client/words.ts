// The words for people about what a server asks, and for models about what became of a call. What a server wrote is
// foreign text: it is shown as a quotation of that server, and never as ours.

import { defaultLimits } from "../../core/limits.ts"
import type { UrlFlag } from "../../core/url.ts"
import type { Settings } from "./settings.ts"

type Server = Pick<Settings, "name" | "address">

const nameOf = ({ name, address }: Server): string => (address === undefined ? `“${name}”` : `“${name}” (${address})`)

/** Introduces what a server asks by its name and address. */
export const formWords = (server: Server, message: string): string => cut(`${nameOf(server)} asks: ${clean(message)}`)

export interface Linked {
  readonly host: string
  readonly flags: readonly UrlFlag[]
  readonly message: string
}

/** Introduces a link. The host stands apart from what the server wrote, with a warning if it may be misread. */
export function linkWords(server: Server, { host, flags, message }: Linked): string {
  const warning = flags.includes("punycode")
    ? `\n${warnings.punycode}`
    : flags.includes("ip-address")
      ? `\n${warnings.ip}`
      : ""
  return cut(`${nameOf(server)} asks you to open a page at ${host}.${warning}\nIt says: ${clean(message)}`)
}

const warnings = {
  punycode: "Careful: this host is written with letters that can look like others. Check that you know it.",
  ip: "Careful: this host is a number and not a name. Check that you know it.",
}

/** Asks whether the person has finished on a page, for servers that do not tell. */
export const doneWords = (server: Server, hosts: readonly string[]): string =>
  cut(`${nameOf(server)} sent you to ${[...new Set(hosts)].join(", ")}. Try again when you have finished there.`)

/** Removes what cannot be shown: control characters other than line breaks and tabs. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{C}\n\t]/gu, "")
    .trim() || "(nothing)"

function cut(text: string): string {
  const characters = [...text]
  const { messageLength } = defaultLimits
  return characters.length <= messageLength ? text : `${characters.slice(0, messageLength - 1).join("")}…`
}

/** Tells a model why a question of a server was declined without asking the person. */
export const declinedNote = (server: Server, problem: string): string =>
  `${nameOf(server)} asked the user for something that cannot be shown to them, and was told that they decline. ${problem}`

export const lostWords = (server: Server, tool: string): string =>
  `It is unknown whether ${nameOf(server)} carried out “${tool}”: the connection or this program ended in the middle of the call. It was not called again, because the tool does not say that a second call does no harm. Check the result with another tool, or ask the user, before you call it again.`

export const unreachedWords = (server: Server, tool: string, problem: string): string =>
  `${nameOf(server)} could not be reached, and “${tool}” was not called: ${problem}. Try again later.`

export const notListedWords = (server: Server, problem: string): string =>
  `The tools of ${nameOf(server)} could not be listed: ${problem}. Check its address, and that it runs and admits this program.`

export const notVisitedWords = (server: Server): string =>
  `${nameOf(server)} needs the user to visit a page before this tool can be used, and the user did not. Calling again at once is useless; ask the user whether they want to go on.`

export const stillNeededWords = (server: Server): string =>
  `${nameOf(server)} still asks the user to visit a page, although they said that they have finished there. Tell the user, and call again when they say that it is fixed.`

export const tooManyWords = (server: Server): string =>
  `${nameOf(server)} kept asking and did not come to an end. The call was given up; what it has done until then stays done.`

export const unsupportedWords = (server: Server, method: string): string =>
  `${nameOf(server)} asked this program for “${method}”, which it does not offer. The call was given up.`
