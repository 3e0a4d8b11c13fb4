// The list fields of a vCard: addresses, numbers and links, each with a type or a custom label.

import type { Card, Ical, Line, Property } from "./card.ts"
import { toLine } from "./card.ts"
import type { Address, Email, Phone, Typed } from "./contact.ts"
import { linesOf, silent, toAddress, toNumber, typeOf, typesIn, valueIn } from "./contact.ts"

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
  isSame: (line, { type: _, ...address }) => JSON.stringify(toAddress(line)) === JSON.stringify(ordered(address)),
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

export const isFilled = (address: Address): boolean => Object.keys(ordered(address)).length > 0

function ordered({ street, city, region, postcode, country }: Address): Address {
  const all = { street, city, region, postcode, country }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ""))
}

/** Replaces a list. An existing entry keeps its line; a removed one is removed together with its label. */
export function setList<T extends Typed>(
  ical: Ical,
  card: Card,
  kind: Kind<T>,
  wanted: readonly T[] | undefined,
): Card {
  if (wanted === undefined) return card
  const old = [...linesOf(card, kind.name)]
  const groups = new Set(card.lines.flatMap(({ group }) => (group === undefined ? [] : [group.toLowerCase()])))
  const writing = { ical, version: card.version, groups }
  const next = wanted.flatMap((entry): readonly Line[] => {
    const at = old.findIndex((line) => kind.isSame(line, entry))
    const [same] = at < 0 ? [] : old.splice(at, 1)
    if (same === undefined) return toNewLines(writing, kind.toProperty(entry, card.version), entry.type)
    if (entry.type === undefined || entry.type.toLowerCase() === typeOf(card, same).type?.toLowerCase()) return [same]
    return retype(writing, same, entry.type)
  })
  const kept = new Set(next)
  const gone = new Set(linesOf(card, kind.name).filter((line) => !kept.has(line)))
  const lost = new Set([...gone].flatMap(({ group }) => (group === undefined ? [] : [group])))
  const isGone = (line: Line): boolean =>
    gone.has(line) || (line.group !== undefined && lost.has(line.group) && line.name.startsWith("X-AB"))
  const place = card.lines.findIndex((line) => line.name === kind.name)
  const rest = card.lines.map((line, at) => ({ line, at })).filter(({ line }) => !isGone(line) && !kept.has(line))
  const before = place < 0 ? rest : rest.filter(({ at }) => at < place)
  const after = place < 0 ? [] : rest.filter(({ at }) => at > place)
  const toLines = (some: typeof rest) => some.map(({ line }) => line)
  return { ...card, lines: [...toLines(before), ...next, ...toLines(after)] }
}

interface Writing {
  readonly ical: Ical
  readonly version: Card["version"]
  /** The group names already in use. */
  readonly groups: Set<string>
}

function toNewLines({ ical, version, groups }: Writing, property: Property, type: string | undefined) {
  if (type === undefined || type === "") return [toLine(ical, version, property)]
  if (isToken(type)) return [toLine(ical, version, withTypes(property, type, version))]
  const group = freeGroup(groups)
  const label: Property = ["x-ablabel", {}, "unknown", type]
  return [toLine(ical, version, property, group), toLine(ical, version, label, group)]
}

/** Changes the type of a line. Types that mean nothing to people, such as PREF, stay. */
function retype(writing: Writing, line: Line, type: string): readonly Line[] {
  const [name, parameters, kind, ...values] = line.property as Property
  const { group: _, type: __, ...others } = parameters
  const kept = typesIn(line.property).filter((one) => silent.has(one))
  const bare: Property = [name, { ...others, ...(kept.length === 0 ? {} : { type: kept }) }, kind, ...values]
  return toNewLines(writing, bare, type)
}

function withTypes([name, parameters, kind, ...values]: Property, type: string, version: Card["version"]): Property {
  const types = [...typesIn([name, parameters, kind]), ...type.split(",").map((one) => one.trim().toLowerCase())]
  const written = version === "3.0" ? types.map((one) => one.toUpperCase()) : types
  return [name, { ...parameters, type: written }, kind, ...values]
}

const isToken = (type: string): boolean => /^[a-z-]+(, ?[a-z-]+)*$/i.test(type)

function freeGroup(groups: Set<string>): string {
  let at = 1
  while (groups.has(`item${at}`)) at++
  groups.add(`item${at}`)
  return `item${at}`
}
