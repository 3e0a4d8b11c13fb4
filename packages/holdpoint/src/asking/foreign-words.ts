// The words for people about what another program asks: a server of MCP, an agent of A2A. What such a program wrote is
// foreign text: it is shown as a quotation of that program, and never as ours. Pure.

import { defaultLimits } from "../core/limits.ts"
import type { UrlFlag } from "../core/url.ts"

/** The program that asks, as people see it. */
export interface ForeignProgram {
  readonly name: string
  readonly address: string | undefined
}

export const nameOf = ({ name, address }: ForeignProgram): string =>
  address === undefined ? `“${name}”` : `“${name}” (${address})`

/** Introduces what a program asks by its name and address. */
export const formWords = (program: ForeignProgram, message: string): string =>
  cut(`${nameOf(program)} asks: ${clean(message)}`)

export interface Linked {
  readonly host: string
  readonly flags: readonly UrlFlag[]
  readonly message: string
}

/** Introduces a link. The host stands apart from what the program wrote, with a warning if it may be misread. */
export function linkWords(program: ForeignProgram, { host, flags, message }: Linked): string {
  const warning = flags.includes("punycode")
    ? `\n${warnings.punycode}`
    : flags.includes("ip-address")
      ? `\n${warnings.ip}`
      : ""
  return cut(`${nameOf(program)} asks you to open a page at ${host}.${warning}\nIt says: ${clean(message)}`)
}

const warnings = {
  punycode: "Careful: this host is written with letters that can look like others. Check that you know it.",
  ip: "Careful: this host is a number and not a name. Check that you know it.",
}

/** Tells a model why a question of a program was declined without asking the person. */
export const declinedNote = (program: ForeignProgram, problem: string): string =>
  `${nameOf(program)} asked the user for something that cannot be shown to them, and was told that they decline. ${problem}`

/** Removes what cannot be shown: control characters other than line breaks and tabs. */
export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\P{C}\n\t]/gu, "")
    .trim() || "(nothing)"

/** Cuts a text to the longest message that a question may have. */
export function cut(text: string, most = defaultLimits.messageLength): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`
}
