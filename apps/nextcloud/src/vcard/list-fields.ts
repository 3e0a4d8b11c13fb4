// The list fields of a vCard: addresses, numbers and links, each with a type or a custom label.

import type { Card, Ical, Line, Property } from "./card.ts"
import { toLine } from "./card.ts"
import type { Address, Email, Phone, Typed } from "./contact.ts"
import { hiddenTypes, linesOf, toAddress, toNumber, typeOf, typesIn, valueIn } from "./contact.ts"

interface Kind<T> {
  readonly name: string
  isSame(line: Line, entry: T): boolean
  toProperty(entry: T, version: Card["version"]): Property
}

export const emails: Kind<Email> = {
  name: "EMAIL",
  isSame: (line, { address }) => valueIn(line).toLowerCase() === address.toLowerCase(),
  toProperty: ({ address }) => ["email", {}, "text", address],
}

export const phones: Kind<Phone> = {
  name: "TEL",
  isSame: (line, { number }) => toNumber(line) === number,
  toProperty: ({ number }, version) => ["tel", {}, version === "4.0" ? "text" : "phone-number", number],
}

export const addresses: Kind<Address> = {
  name: "ADR",
  isSame: (line, { type: _, ...address }) =>
    JSON.stringify(toAddress(line)) === JSON.stringify(withoutEmptyParts(address)),
  toProperty: ({ street = "", city = "", region = "", postcode = "", country = "" }) => [
    "adr",
    {},
    "text",
    ["", "", street, city, region, postcode, country],
  ],
}

interface Link extends Typed {
  readonly url: string
}

export const urls: Kind<Link> = {
  name: "URL",
  isSame: (line, { url }) => valueIn(line) === url,
  toProperty: ({ url }) => ["url", {}, "uri", url],
}

export const toLink = (url: string): Link => ({ url })

export const isFilled = (address: Address): boolean => Object.keys(withoutEmptyParts(address)).length > 0

function withoutEmptyParts({ street, city, region, postcode, country }: Address): Address {
  const all = { street, city, region, postcode, country }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ""))
}

/**
 * Replaces the lines of a list field. An existing entry keeps its line; a removed entry loses its line and its label.
 */
export function setList<T extends Typed>(
  ical: Ical,
  card: Card,
  kind: Kind<T>,
  entries: readonly T[] | undefined,
): Card {
  if (entries === undefined) return card
  const oldLines = [...linesOf(card, kind.name)]
  const groups = new Set(card.lines.flatMap(({ group }) => (group === undefined ? [] : [group.toLowerCase()])))
  const options = { ical, version: card.version, groups }
  const newLines = entries.flatMap((entry): readonly Line[] => {
    const index = oldLines.findIndex((line) => kind.isSame(line, entry))
    const [keptLine] = index < 0 ? [] : oldLines.splice(index, 1)
    if (keptLine === undefined) return toNewLines(options, kind.toProperty(entry, card.version), entry.type)
    if (entry.type === undefined || entry.type.toLowerCase() === typeOf(card, keptLine).type?.toLowerCase())
      return [keptLine]
    return retype(options, keptLine, entry.type)
  })
  const nextLines = new Set(newLines)
  const removedLines = new Set(linesOf(card, kind.name).filter((line) => !nextLines.has(line)))
  const removedGroups = new Set([...removedLines].flatMap(({ group }) => (group === undefined ? [] : [group])))
  const isRemoved = (line: Line): boolean =>
    removedLines.has(line) ||
    (line.group !== undefined && removedGroups.has(line.group) && line.name.startsWith("X-AB"))
  // The first line may be one that could not be parsed: it is among the other lines, after the new ones.
  const firstIndex = card.lines.findIndex((line) => line.name === kind.name)
  const otherLines = card.lines
    .map((line, index) => ({ line, at: index }))
    .filter(({ line }) => !isRemoved(line) && !nextLines.has(line))
  const linesBefore = firstIndex < 0 ? otherLines : otherLines.filter(({ at }) => at < firstIndex)
  const linesAfter = firstIndex < 0 ? [] : otherLines.filter(({ at }) => at >= firstIndex)
  const toLines = (indexedLines: typeof otherLines) => indexedLines.map(({ line }) => line)
  return { ...card, lines: [...toLines(linesBefore), ...newLines, ...toLines(linesAfter)] }
}

interface WriteOptions {
  readonly ical: Ical
  readonly version: Card["version"]
  /** The group names already in use. */
  readonly groups: Set<string>
}

function toNewLines({ ical, version, groups }: WriteOptions, property: Property, type: string | undefined) {
  if (type === undefined || type === "") return [toLine(ical, version, property)]
  if (isToken(type)) return [toLine(ical, version, withTypes(property, type, version))]
  const group = freeGroup(groups)
  const label: Property = ["x-ablabel", {}, "unknown", type]
  return [toLine(ical, version, property, group), toLine(ical, version, label, group)]
}

/** Changes the type of a line. Types that mean nothing to people, such as PREF, stay. */
function retype(options: WriteOptions, line: Line, type: string): readonly Line[] {
  const [name, parameters, kind, ...values] = line.property as Property
  const { group: _, type: __, ...otherParameters } = parameters
  const keptTypes = typesIn(line.property).filter((oldType) => hiddenTypes.has(oldType))
  const changedProperty: Property = [
    name,
    { ...otherParameters, ...(keptTypes.length === 0 ? {} : { type: keptTypes }) },
    kind,
    ...values,
  ]
  return toNewLines(options, changedProperty, type)
}

function withTypes([name, parameters, kind, ...values]: Property, type: string, version: Card["version"]): Property {
  const types = [
    ...typesIn([name, parameters, kind]),
    ...type.split(",").map((newType) => newType.trim().toLowerCase()),
  ]
  const typeValues = version === "3.0" ? types.map((typeName) => typeName.toUpperCase()) : types
  return [name, { ...parameters, type: typeValues }, kind, ...values]
}

const isToken = (type: string): boolean => /^[a-z-]+(, ?[a-z-]+)*$/i.test(type)

function freeGroup(groups: Set<string>): string {
  let number = 1
  while (groups.has(`item${number}`)) number++
  groups.add(`item${number}`)
  return `item${number}`
}
