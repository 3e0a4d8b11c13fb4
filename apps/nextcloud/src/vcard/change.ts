// Writes a contact's fields into a vCard: only the given ones, each into its existing line with the existing parameters
// and labels. All other lines stay as they are.

import type { Card, Ical, Line, Property } from "./card.ts"
import { toLine, toPlainLine } from "./card.ts"
import type { Contact } from "./contact.ts"
import { linesOf, partsOf, textOf } from "./contact.ts"
import { addresses, emails, isFilled, phones, setList, toLink, urls } from "./list-fields.ts"

/** Undefined leaves a field unchanged; an empty text or list removes it. */
export type Changes = { readonly [K in keyof Omit<Contact, "uid">]?: Contact[K] | undefined }

export interface Stamp {
  readonly now: Date
}

export function newCard(ical: Ical, uid: string, changes: Changes, stamp: Stamp): Card {
  const lines = [
    toPlainLine("VERSION", "", "3.0"),
    toPlainLine("PRODID", "", "-//Holdpoint//Nextcloud//EN"),
    toPlainLine("UID", "", uid),
  ]
  return changeCard(ical, { version: "3.0", lines }, changes, stamp)
}

export function changeCard(ical: Ical, card: Card, changes: Changes, { now }: Stamp): Card {
  const steps: readonly ((card: Card) => Card)[] = [
    (current) => changeNames(ical, current, changes),
    (current) => setParts(ical, current, "ORG", [changes.organization, changes.department]),
    (current) => setText(ical, current, "NICKNAME", changes.nickname),
    (current) => setText(ical, current, "TITLE", changes.job_title),
    (current) => setText(ical, current, "NOTE", changes.note),
    (current) => setBirthday(current, changes.birthday),
    (current) => setList(ical, current, emails, changes.emails),
    (current) => setList(ical, current, phones, changes.phones),
    (current) => setList(ical, current, addresses, changes.addresses?.filter(isFilled)),
    (current) => setList(ical, current, urls, changes.urls?.map(toLink)),
    (current) => setCategories(ical, current, changes.categories),
    (current) => replaceFirst(current, "REV", toPlainLine("REV", "", now.toISOString().replace(/[-:]|\.\d+/g, ""))),
  ]
  return steps.reduce((current, step) => step(current), card)
}

/**
 * Changes N (name parts) and FN (full name). When only one of the two is given, the other follows, unless they differed
 * before.
 */
function changeNames(ical: Ical, card: Card, { name, first_name, last_name }: Changes): Card {
  if (name === undefined && first_name === undefined && last_name === undefined) return card
  const [lastName = "", firstName = ""] = partsOf(card, "N")
  const formattedName = textOf(card, "FN")
  const isComposed = formattedName === "" || formattedName === compose(firstName, lastName)
  const isSplit = name !== undefined && first_name === undefined && last_name === undefined && isComposed
  const words = (name ?? "").trim().split(/\s+/)
  const nextLast = isSplit ? (words.length > 1 ? words.at(-1) : "") : (last_name ?? lastName)
  const nextFirst = isSplit ? (words.length > 1 ? words.slice(0, -1) : words).join(" ") : (first_name ?? firstName)
  const nextFormattedName = name ?? ((isComposed && compose(nextFirst, nextLast ?? "")) || formattedName)
  return setText(ical, setParts(ical, card, "N", [nextLast, nextFirst]), "FN", nextFormattedName)
}

const compose = (firstName: string, lastName: string): string => [firstName, lastName].filter(Boolean).join(" ")

function setText(ical: Ical, card: Card, name: string, value: string | undefined): Card {
  if (value === undefined) return card
  if (value === "") return replaceFirst(card, name, undefined)
  const [oldLine] = linesOf(card, name)
  const parameters = oldLine?.property?.[1] ?? {}
  return replaceFirst(card, name, rewrite(ical, card, oldLine, [name.toLowerCase(), parameters, "text", value]))
}

/**
 * Sets the parts of a structured property. Undefined parts, and parts after the given ones, stay. N is always written
 * with all five parts.
 */
function setParts(ical: Ical, card: Card, name: string, parts: readonly (string | undefined)[]): Card {
  if (parts.every((part) => part === undefined)) return card
  const minLength = name === "N" ? 5 : 0
  const [oldLine] = linesOf(card, name)
  const oldParts = Array.isArray(oldLine?.property?.[3]) ? (oldLine.property[3] as readonly unknown[]) : []
  const length = Math.max(parts.length, oldParts.length, minLength)
  const newParts = Array.from({ length }, (_, index) => parts[index] ?? oldParts[index] ?? "")
  while (newParts.length > minLength && newParts.at(-1) === "") newParts.pop()
  if (newParts.length === 0) return replaceFirst(card, name, undefined)
  return replaceFirst(
    card,
    name,
    rewrite(ical, card, oldLine, [name.toLowerCase(), oldLine?.property?.[1] ?? {}, "text", newParts]),
  )
}

function setBirthday(card: Card, birthday: string | undefined): Card {
  if (birthday === undefined) return card
  if (birthday === "") return replaceFirst(card, "BDAY", undefined)
  const isWithoutYear = birthday.startsWith("--")
  if (card.version === "4.0")
    return replaceFirst(card, "BDAY", toPlainLine("BDAY", "", birthday.replace(/(\d)-/g, "$1")))
  // Version 3 has no date without a year; Apple and Nextcloud write it like this.
  const line = isWithoutYear
    ? toPlainLine("BDAY", ";X-APPLE-OMIT-YEAR=1604", `1604-${birthday.slice(2)}`)
    : toPlainLine("BDAY", ";VALUE=DATE", birthday)
  return replaceFirst(card, "BDAY", line)
}

function setCategories(ical: Ical, card: Card, categories: readonly string[] | undefined): Card {
  if (categories === undefined) return card
  const oldLines = new Set(linesOf(card, "CATEGORIES"))
  const otherLines = card.lines.filter((line) => !oldLines.has(line))
  if (categories.length === 0) return { ...card, lines: otherLines }
  return { ...card, lines: [...otherLines, toLine(ical, card.version, ["categories", {}, "text", ...categories])] }
}

function rewrite(ical: Ical, card: Card, oldLine: Line | undefined, [name, parameters, ...valueParts]: Property): Line {
  const { group: _, encoding: __, charset: ___, ...otherParameters } = parameters
  return toLine(ical, card.version, [name, otherParameters, ...valueParts], oldLine?.group)
}

/**
 * Replaces the first line of this name that could be parsed, or else the first one, or appends it. Undefined removes all
 * lines of this name.
 */
function replaceFirst(card: Card, name: string, newLine: Line | undefined): Card {
  if (newLine === undefined) return { ...card, lines: card.lines.filter((line) => line.name !== name) }
  const oldLine = linesOf(card, name)[0] ?? card.lines.find((line) => line.name === name)
  const index = oldLine === undefined ? -1 : card.lines.indexOf(oldLine)
  return { ...card, lines: index < 0 ? [...card.lines, newLine] : card.lines.with(index, newLine) }
}
