// The words for a person whom another program asks, such as an MCP server or an A2A agent. Text from such a program is
// shown as a quotation of that program, never as Holdpoint's own words. Pure.

import { defaultLimits } from "@holdpoint/hub"
import type { UrlFlag } from "@holdpoint/hub/internal"

/** The program that asks, as people see it. */
export interface ForeignProgram {
  readonly name: string
  readonly address: string | undefined
}

export const nameOf = ({ name, address }: ForeignProgram): string =>
  address === undefined ? `“${name}”` : `“${name}” (${address})`

/** The program's message, introduced by the program's name and address. */
export const formWords = (program: ForeignProgram, message: string): string =>
  truncate(`${nameOf(program)} asks: ${clean(message)}`)

export interface LinkRequest {
  readonly host: string
  readonly flags: readonly UrlFlag[]
  readonly message: string
}

/** The words before a link: its host, a warning if the host may be misread, and the program's message. */
export function linkWords(program: ForeignProgram, { host, flags, message }: LinkRequest): string {
  const warning = flags.includes("punycode")
    ? `\n${warnings.punycode}`
    : flags.includes("ip-address")
      ? `\n${warnings.ip}`
      : ""
  return truncate(`${nameOf(program)} asks you to open a page at ${host}.${warning}\nIt says: ${clean(message)}`)
}

/** Part of the question's digest: with another text, a call whose question is open could not continue. */
const warnings = {
  punycode: "Careful: this host is written with letters that can look like others. Check that you know it.",
  ip: "Careful: this host is a number and not a name. Check that you know it.",
}

/** Explains to a model why a program's question was declined without asking the person. */
export const declinedNote = (program: ForeignProgram, problem: string): string =>
  truncate(
    `${nameOf(program)} asked the user for something that cannot be shown to them, and was told that they declined. ${problem}`,
    mostOfNote,
  )

/** The most characters of a note: a problem may quote much of what the program sent. */
const mostOfNote = 700

/** Explains to a model that a program's question was cancelled because too many questions are open. */
export const crowdedNote = (program: ForeignProgram, problem: string): string =>
  `${nameOf(program)} asked the user more than is shown at once. The user was not asked, and the program was told that the question was cancelled. ${problem}`

/** Removes control characters and other invisible characters, except line breaks and tabs. Reads no more than can be shown. */
export const clean = (text: string): string =>
  text
    .slice(0, mostRead)
    .toWellFormed()
    .replace(/[^\P{C}\n\t]/gu, "")
    .trim() || "(nothing)"

/** The most characters of a foreign text that are read at all. */
const mostRead = 10 * defaultLimits.messageLength

/** Cuts a text to the longest message that a question may have. */
export function truncate(text: string, maxLength = defaultLimits.messageLength): string {
  // A character has at most two code units.
  const characters = [...text.slice(0, 2 * (maxLength + 1))]
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join("")}…`
}
