// A vCard of version 3 or 4 as its lines. ical.js reads and writes single lines; a line that nobody changes is kept as
// it is, so that whatever other programs put there survives.

import type IcalModule from "ical.js"

type Ical = typeof IcalModule

/** One property as jCard has it: name, parameters, kind of value, and the values. */
export type Property = readonly [
  name: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
  type: string,
  ...values: readonly unknown[],
]

export interface Line {
  /** As it stands there, with its folds. */
  readonly raw: string
  /** In capitals, without the group: TEL. */
  readonly name: string
  /** Of “item1.TEL”: item1. */
  readonly group?: string
  /** Undefined when it cannot be read: it is kept all the same. */
  readonly property?: Property
}

export interface Card {
  readonly version: "3.0" | "4.0"
  /** Between BEGIN and END. */
  readonly lines: readonly Line[]
}

const breakOfLine = "\r\n"

/** Loaded when the first card is read: it is large. */
export const loadIcal = async (): Promise<Ical> => (await import("ical.js")).default

/** Undefined when the text is no vCard. */
export function parseCard(ical: Ical, text: string): Card | undefined {
  const all = toLogicalLines(text)
  const start = all.findIndex((line) => /^BEGIN:VCARD\s*$/i.test(line))
  const end = all.findIndex((line, index) => index > start && /^END:VCARD\s*$/i.test(line))
  if (start < 0 || end < 0) return undefined
  const inner = all.slice(start + 1, end)
  const version = inner.some((line) => /^VERSION:4/i.test(line)) ? "4.0" : "3.0"
  return { version, lines: inner.map((raw) => parseLine(ical, raw, version)) }
}

export function writeCard({ lines }: Card): string {
  return ["BEGIN:VCARD", ...lines.map(({ raw }) => raw), "END:VCARD", ""].join(breakOfLine)
}

export function toLine(ical: Ical, version: Card["version"], property: Property, group?: string): Line {
  const whole = ical.stringify.property(
    withKind(property, version) as unknown as unknown[],
    designOf(ical, version),
    true,
  )
  // Kinds of values besides texts are not escaped: a line break would begin a property of its own.
  const line = whole.replace(/\r/g, "").replace(/\n/g, " ")
  const raw = ical.helpers.foldline(group === undefined ? line : `${group}.${line}`)
  return { raw, name: property[0].toUpperCase(), property, ...(group === undefined ? {} : { group }) }
}

/** In version 4 a number is a text unless it says otherwise (RFC 6350 section 6.4.1); the library thinks not. */
function withKind(property: Property, version: Card["version"]): Property {
  const [name, parameters, type, ...values] = property
  if (version !== "4.0" || name !== "tel" || type !== "uri") return property
  return [name, { ...parameters, value: "uri" }, type, ...values]
}

/** Without ical.js, for what it would write otherwise. */
export function toPlainLine(name: string, parameters: string, value: string): Line {
  return { raw: `${name}${parameters}:${value}`, name, property: [name.toLowerCase(), {}, "text", value] }
}

/** A line that begins with a space goes on with the one before. */
function toLogicalLines(text: string): readonly string[] {
  const lines: string[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (/^[ \t]/.test(line) && lines.length > 0) lines.push(`${lines.pop()}${breakOfLine}${line}`)
    else if (line !== "") lines.push(line)
  }
  return lines
}

function parseLine(ical: Ical, raw: string, version: Card["version"]): Line {
  const whole = raw.replace(/\r\n[ \t]/g, "")
  const [, group, name = ""] = /^(?:([^.:;]+)\.)?([^:;]*)/.exec(whole) ?? []
  const line = { raw, name: name.toUpperCase(), ...(group === undefined ? {} : { group }) }
  const readable = withNamedTypes(structured.has(line.name) ? whole : withoutEscapes(whole))
  try {
    return { ...line, property: ical.parse.property(readable, designOf(ical, version)) as unknown as Property }
  } catch {
    return line
  }
}

const structured: ReadonlySet<string> = new Set(["N", "ADR", "ORG", "GENDER", "CLIENTPIDMAP"])

/** Some programs escape semicolons also where none has a meaning. */
const withoutEscapes = (line: string): string =>
  line.replace(/\\([\\;])/g, (pair, second) => (second === ";" ? ";" : pair))

/** “TEL;CELL;PREF:…” of old programs is “TEL;TYPE=CELL;TYPE=PREF:…”. */
function withNamedTypes(line: string): string {
  return line.replace(/^[^:"]*/, (head) => head.replace(/;([A-Za-z0-9-]+)(?=;|$)/g, ";TYPE=$1"))
}

const designOf = (ical: Ical, version: Card["version"]) =>
  version === "4.0" ? ical.design.components.vcard : ical.design.components.vcard3

export type { Ical }
