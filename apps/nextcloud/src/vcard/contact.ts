// A contact as tools return it, read from a vCard.

import type { Card, Line, Property } from "./card.ts"

export interface Typed {
  readonly type?: string | undefined
}

export interface Email extends Typed {
  readonly address: string
}

export interface Phone extends Typed {
  readonly number: string
}

export interface Address extends Typed {
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly region?: string | undefined
  readonly postcode?: string | undefined
  readonly country?: string | undefined
}

export interface Contact {
  readonly uid: string
  readonly name: string
  readonly first_name?: string
  readonly last_name?: string
  readonly nickname?: string
  readonly emails: readonly Email[]
  readonly phones: readonly Phone[]
  readonly addresses: readonly Address[]
  readonly organization?: string
  readonly department?: string
  readonly job_title?: string
  readonly birthday?: string
  readonly note?: string
  readonly urls: readonly string[]
  readonly categories: readonly string[]
}

export function toContact(card: Card): Contact {
  const [lastName = "", firstName = ""] = partsOf(card, "N")
  const [organization = "", department = ""] = partsOf(card, "ORG")
  const birthday = linesOf(card, "BDAY").map(toBirthday).find(Boolean)
  return {
    uid: textOf(card, "UID"),
    name: textOf(card, "FN") || [firstName, lastName].filter(Boolean).join(" ") || organization,
    ...withoutEmpty({ first_name: firstName, last_name: lastName, nickname: textOf(card, "NICKNAME") }),
    emails: linesOf(card, "EMAIL").map((line) => ({ address: valueIn(line), ...typeOf(card, line) })),
    phones: linesOf(card, "TEL").map((line) => ({ number: toNumber(line), ...typeOf(card, line) })),
    addresses: linesOf(card, "ADR").map((line) => ({ ...toAddress(line), ...typeOf(card, line) })),
    ...withoutEmpty({
      organization,
      department,
      job_title: textOf(card, "TITLE"),
      birthday,
      note: textOf(card, "NOTE"),
    }),
    urls: linesOf(card, "URL").map(valueIn),
    categories: linesOf(card, "CATEGORIES").flatMap(({ property }) => toTexts(property?.slice(3))),
  }
}

/** The lines of this name that could be parsed. */
export const linesOf = ({ lines }: Card, name: string): readonly Line[] =>
  lines.filter((line) => line.name === name && line.property !== undefined)

/** The parts of the first property of this name, for example of N. */
export function partsOf(card: Card, name: string): readonly string[] {
  const value = linesOf(card, name)[0]?.property?.[3]
  return Array.isArray(value) ? value.map((part) => toTexts([part]).join(", ")) : toTexts([value])
}

export const textOf = (card: Card, name: string): string => {
  const [line] = linesOf(card, name)
  return line === undefined ? "" : valueIn(line)
}

/** The value of a line. An unescaped comma does not split it. */
export const valueIn = ({ property }: Line): string => toTexts(property?.slice(3)).join(",")

export const toNumber = (line: Line): string => valueIn(line).replace(/^tel:/i, "")

export function toAddress({ property }: Line): Address {
  const parts = Array.isArray(property?.[3]) ? property[3].map((part) => toTexts([part]).join(", ")) : []
  const [box, extendedAddress, street, city, region, postcode, country] = parts
  const streetText = [box, extendedAddress, street].filter(Boolean).join(", ")
  return withoutEmpty({ street: streetText, city, region, postcode, country })
}

/** The custom label of a line if it has one, else its types: “home”, “work”, “cell”. */
export function typeOf(card: Card, line: Line): Typed {
  const label = card.lines.find(
    (candidate) => candidate.name === "X-ABLABEL" && candidate.group !== undefined && candidate.group === line.group,
  )
  const labelText = label === undefined ? "" : valueIn(label).replace(/^_\$!<(.*)>!\$_$/, "$1")
  return withoutEmpty({
    type:
      labelText ||
      typesIn(line.property)
        .filter((type) => !hiddenTypes.has(type))
        .join(","),
  })
}

export function typesIn(property: Property | undefined): readonly string[] {
  const typeParameter = property?.[1].type ?? []
  return (typeof typeParameter === "string" ? typeParameter.split(",") : typeParameter).map((type) =>
    type.toLowerCase(),
  )
}

/** Types that are not shown, because they mean nothing to people. */
export const hiddenTypes: ReadonlySet<string> = new Set(["internet", "voice", "pref"])

/** The birthday as 1990-04-01, or --04-01 when the year is not known. Other forms stay as they are. */
function toBirthday({ raw, property }: Line): string {
  const text = toTexts(property?.slice(3)).join(",")
  const [, year, month, day] = /^(\d{4}|--)-?(\d\d)-?(\d\d)/.exec(text) ?? []
  if (month === undefined) return text
  const isWithoutYear = year === "--" || new RegExp(`X-APPLE-OMIT-YEAR="?${year}`, "i").test(raw)
  return isWithoutYear ? `--${month}-${day}` : `${year}-${month}-${day}`
}

const toTexts = (values: readonly unknown[] | undefined): readonly string[] =>
  (values ?? [])
    .flat(3)
    .filter((value) => value !== undefined && value !== null)
    .map(String)

/** Removes undefined and empty members. */
function withoutEmpty<T extends Readonly<Record<string, string | undefined>>>(members: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== "")) as {
    [K in keyof T]?: string
  }
}
