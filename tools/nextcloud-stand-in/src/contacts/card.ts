// Cards as text: parsed with ical.js for filters and validation, and rewritten line by line where the server does so.

import { randomUUID } from "node:crypto"
import ICAL from "ical.js"

export type Card = InstanceType<typeof ICAL.Component>

/** Throws when the text is not a card. */
export function parseCard(text: string): Card {
  return new ICAL.Component(ICAL.parse(text) as unknown[])
}

/** The raw value of the first property with this name. */
export function valueIn(text: string, name: string): string | undefined {
  const line = linesOf(text).find((candidate) => nameOf(candidate) === name)
  return line?.slice(line.indexOf(":") + 1).trim()
}

export type Checked =
  | { readonly text: string; readonly uid: string; readonly warning?: string }
  | { readonly refused: "unparsable" | "calendar"; readonly reason: string }

/** Validates a card. Adds a missing UID, with a warning. */
export function check(text: string): Checked {
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return { refused: "calendar", reason: "" }
  try {
    if (!/^\s*BEGIN:VCARD/i.test(text)) throw new Error("This parser only supports VCARD and VCALENDAR files")
    parseCard(text)
  } catch (error) {
    return { refused: "unparsable", reason: error instanceof Error ? error.message : String(error) }
  }
  const uid = valueIn(text, "UID")
  if (uid !== undefined) return { text, uid }
  const newUid = randomUUID()
  const warning = "vCards on CardDAV servers MUST have a UID property."
  return { text: text.replace(/END:VCARD/i, `UID:${newUid}\r\nEND:VCARD`), uid: newUid, warning }
}

export interface CardOptions {
  /** The requested properties; undefined for all. */
  readonly includedProperties: ReadonlySet<string> | undefined
  /** The server converts cards to 3.0 unless another version is requested. */
  readonly version: "3.0" | "4.0"
}

/** The card as a report returns it. */
export function toReportedCard(text: string, { includedProperties, version }: CardOptions): string {
  const lines = linesOf(text)
  const storedVersion = lines.find((line) => nameOf(line) === "VERSION")?.slice("VERSION:".length)
  const selectedLines = lines.filter(
    (line) => isFrame(line) || includedProperties === undefined || includedProperties.has(nameOf(line)),
  )
  const writtenLines =
    storedVersion === version ? selectedLines : selectedLines.flatMap((line) => convertLine(line, version))
  return `${writtenLines.map(foldLine).join("\r\n")}\r\n`
}

function convertLine(line: string, version: string): readonly string[] {
  if (nameOf(line) === "PRODID") return []
  return nameOf(line) === "VERSION" ? [`VERSION:${version}`, "PRODID:-//Sabre//Sabre VObject 4.5.6//EN"] : [line]
}

const isFrame = (line: string): boolean => ["BEGIN", "VERSION", "END"].includes(nameOf(line))

/** The lines of a card, with folded lines joined. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/)
    .filter((line) => line !== "")
}

/** The property name of a line without its group: `item1.TEL` is TEL. */
function nameOf(line: string): string {
  return (/^(?:[\w-]+\.)?([\w-]+)/.exec(line)?.[1] ?? "").toUpperCase()
}

/** Folds a line at 75 bytes, never within a character. */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ""
  for (const character of line) {
    if (Buffer.byteLength(part + character) > 75) {
      parts.push(part)
      part = " "
    }
    part += character
  }
  return [...parts, part].join("\r\n")
}
