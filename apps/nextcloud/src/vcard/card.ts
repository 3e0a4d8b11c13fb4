// A vCard of version 3 or 4 as a list of lines. ical.js reads and writes single lines. Unchanged lines are written back
// as they were read, so that the properties of other programs survive.

import type IcalModule from "ical.js"

type Ical = typeof IcalModule

/** One property in jCard form: name, parameters, value type, and the values. */
export type Property = readonly [
  name: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
  type: string,
  ...values: readonly unknown[],
]

export interface Line {
  /** The original line, with its folds. */
  readonly raw: string
  /** The name in capitals, without the group: TEL. */
  readonly name: string
  /** The group: item1 in “item1.TEL”. */
  readonly group?: string
  /** Undefined when the line cannot be parsed: it is kept anyway. */
  readonly property?: Property
}

export interface Card {
  readonly version: "3.0" | "4.0"
  /** The lines between BEGIN and END. */
  readonly lines: readonly Line[]
}

const lineBreak = "\r\n"

/** Imports ical.js lazily, because it is large. */
export const loadIcal = async (): Promise<Ical> => (await import("ical.js")).default

/** Parses a vCard. Undefined when the text is not a vCard. */
export function parseCard(ical: Ical, text: string): Card | undefined {
  const all = toLogicalLines(text)
  const start = all.findIndex((line) => /^BEGIN:VCARD\s*$/i.test(line))
  const end = all.findIndex((line, index) => index > start && /^END:VCARD\s*$/i.test(line))
  if (start < 0 || end < 0) return undefined
  const innerLines = all.slice(start + 1, end)
  const version = innerLines.some((line) => /^VERSION:4/i.test(line)) ? "4.0" : "3.0"
  return { version, lines: innerLines.map((raw) => parseLine(ical, raw, version)) }
}

export function writeCard({ lines }: Card): string {
  return ["BEGIN:VCARD", ...lines.map(({ raw }) => raw), "END:VCARD", ""].join(lineBreak)
}

export function toLine(ical: Ical, version: Card["version"], property: Property, group?: string): Line {
  const fullLine = ical.stringify.property(
    withValueType(property, version) as unknown as unknown[],
    designOf(ical, version),
    true,
  )
  // Values that are not texts are not escaped: a line break in one would start a new property.
  const line = fullLine.replace(/\r/g, "").replace(/\n/g, " ")
  const raw = ical.helpers.foldline(group === undefined ? line : `${group}.${line}`)
  return { raw, name: property[0].toUpperCase(), property, ...(group === undefined ? {} : { group }) }
}

/**
 * Adds the value type of a telephone URI in version 4. The library omits it, but the default of the format is text (RFC
 * 6350 section 6.4.1).
 */
function withValueType(property: Property, version: Card["version"]): Property {
  const [name, parameters, type, ...values] = property
  if (version !== "4.0" || name !== "tel" || type !== "uri") return property
  return [name, { ...parameters, value: "uri" }, type, ...values]
}

/** Builds a line without ical.js, for values that ical.js would write differently. */
export function toPlainLine(name: string, parameters: string, value: string): Line {
  return { raw: `${name}${parameters}:${value}`, name, property: [name.toLowerCase(), {}, "text", value] }
}

/** Joins folded lines: a line that begins with a space continues the one before. */
function toLogicalLines(text: string): readonly string[] {
  const lines: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^[ \t]/.test(line) && lines.length > 0) lines.push(`${lines.pop()}${lineBreak}${line}`)
    else if (line !== "") lines.push(line)
  }
  return lines
}

function parseLine(ical: Ical, raw: string, version: Card["version"]): Line {
  const fullLine = raw.replace(/\r\n[ \t]/g, "")
  const [, group, name = ""] = /^(?:([^.:;]+)\.)?([^:;]*)/.exec(fullLine) ?? []
  const line = { raw, name: name.toUpperCase(), ...(group === undefined ? {} : { group }) }
  const readable = withNamedTypes(structuredNames.has(line.name) ? fullLine : withoutEscapes(fullLine))
  try {
    return { ...line, property: ical.parse.property(readable, designOf(ical, version)) as unknown as Property }
  } catch {
    return line
  }
}

const structuredNames: ReadonlySet<string> = new Set(["N", "ADR", "ORG", "GENDER", "CLIENTPIDMAP"])

/** Removes the backslash before semicolons, which some programs escape where semicolons have no meaning. */
const withoutEscapes = (line: string): string =>
  line.replace(/\\([\\;])/g, (escapedPair, escapedCharacter) => (escapedCharacter === ";" ? ";" : escapedPair))

/** Turns “TEL;CELL;PREF:…” of old programs into “TEL;TYPE=CELL;TYPE=PREF:…”. */
function withNamedTypes(line: string): string {
  return line.replace(/^[^:"]*/, (head) => head.replace(/;([A-Za-z0-9-]+)(?=;|$)/g, ";TYPE=$1"))
}

const designOf = (ical: Ical, version: Card["version"]) =>
  version === "4.0" ? ical.design.components.vcard : ical.design.components.vcard3

export type { Ical }
