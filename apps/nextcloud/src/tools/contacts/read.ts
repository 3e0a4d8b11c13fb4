// Tools that list, search and read contacts. The server does the searching.

import { isNextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { Contact } from "../../vcard/contact.ts"
import { toContact } from "../../vcard/contact.ts"
import type { Xml } from "../../xml.ts"
import { xml } from "../../xml.ts"
import type { StoredCard } from "./api.ts"
import { contactLink, findCard, queryCards, readBooks, toFullContact, usualBook } from "./api.ts"
import { addressBookId, fullContact, shortContact, uid } from "./fields.ts"

/** The properties that lists need: pictures and notes are not fetched. */
const listedProperties = ["UID", "FN", "N", "EMAIL", "TEL", "ORG", "NICKNAME"]

function toShort(nextcloud: Nextcloud, addressbook: string, { card }: StoredCard) {
  const { uid, name, emails, phones, organization } = toContact(card)
  return {
    uid,
    addressbook,
    name,
    emails: emails.map(({ address }) => address),
    phones: phones.map(({ number }) => number),
    ...(organization === undefined ? {} : { organization }),
    url: contactLink(nextcloud, addressbook, uid),
  }
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name)

const listContacts = defineTool({
  name: "nc_contacts_list_contacts",
  title: "List contacts",
  description: "Contacts of an address book, by name, with e-mail addresses and phone numbers.",
  scopes: ["contacts.read"],
  effect: "read",
  input: object({ addressbook: addressBookId, ...paging }),
  output: object({ contacts: list(shortContact), ...pageFields }),
  async run({ addressbook = usualBook, ...page }, nextcloud) {
    const activity = `listing the contacts of ${addressbook}`
    const cards = await queryCards(nextcloud, addressbook, { propertyNames: listedProperties }, activity)
    const { items, facts } = toPage(cards.map((card) => toShort(nextcloud, addressbook, card)).sort(byName), page)
    return { contacts: items, ...facts }
  },
})

const searchContacts = defineTool({
  name: "nc_contacts_search_contacts",
  title: "Search contacts",
  description: "Contacts whose name, e-mail, phone or organization contains all of these words, in any address book.",
  scopes: ["contacts.read"],
  effect: "read",
  input: object({
    query: text("Words or a number", { least: 1 }),
    addressbook: optional(text("Only in this one, by id")),
    ...paging,
  }),
  output: object({ contacts: list(shortContact), ...pageFields }),
  requestsNote: "Without `addressbook`: one to list the address books, and one for each.",
  async run({ query, addressbook, ...page }, nextcloud) {
    const search = (id: string) => searchBook(nextcloud, id, toSearch(query))
    const matches =
      addressbook === undefined
        ? await Promise.all((await readBooks(nextcloud)).map(({ id }) => search(id).catch(noneIfUnreadable)))
        : [await search(addressbook)]
    const { items, facts } = toPage(matches.flat().sort(byName), page)
    return { contacts: items, ...facts }
  },
})

/** Returns no contacts for an address book that cannot be read, so that the search goes on. Throws other errors. */
function noneIfUnreadable(error: unknown): readonly [] {
  if (isNextcloudError(error) && (error.kind === "not_found" || error.kind === "forbidden")) return []
  throw error
}

interface Search {
  /** The server-side filter, which may return too many cards but never too few. */
  readonly filter: Xml
  fits(contact: Contact): boolean
}

function toSearch(query: string): Search {
  const digits = toDigits(query)
  const isNumber = /^[+\d\s()/.-]+$/.test(query) && digits.length >= 3
  return isNumber ? searchNumber(query.trim(), digits) : searchWords(query.split(/\s+/).filter(Boolean))
}

/** Searches words. The server looks for the longest word only; `fits` then checks all words. */
function searchWords(words: readonly string[]): Search {
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? ""
  return {
    filter: anyOf(["FN", "N", "NICKNAME", "EMAIL", "TEL", "ORG"].map((name) => contains(name, longest))),
    fits: (contact) => words.every((word) => textOf(contact).includes(foldCase(word))),
  }
}

/**
 * Searches a phone number. People group digits differently, with and without country code, so the server returns every
 * card with a number.
 */
function searchNumber(query: string, digits: string): Search {
  const fallbackFilters = ["FN", "EMAIL", "ORG"].map((name) => contains(name, query))
  return {
    filter: anyOf([{ xml: '<card:prop-filter name="TEL"/>' }, ...fallbackFilters]),
    fits: (contact) =>
      textOf(contact).includes(foldCase(query)) ||
      contact.phones.map(({ number }) => toDigits(number)).some((storedDigits) => isSameNumber(storedDigits, digits)),
  }
}

const isSameNumber = (storedDigits: string, searchedDigits: string): boolean =>
  storedDigits.includes(searchedDigits) || (storedDigits.length >= 6 && searchedDigits.endsWith(storedDigits))

/** The digits of a phone number, without “(0)” and leading zeros (trunk or international prefix). */
const toDigits = (number: string): string => number.replace(/\(0\)/g, "").replace(/\D/g, "").replace(/^0+/, "")

function textOf({ name, first_name, last_name, nickname, organization, department, emails, phones }: Contact): string {
  const texts = [name, first_name, last_name, nickname, organization, department]
  return foldCase([...texts, ...emails.map(({ address }) => address), ...phones.map(({ number }) => number)].join("\n"))
}

const foldCase = (text: string): string => text.normalize("NFC").toLowerCase()

const anyOf = (filters: readonly Xml[]): Xml => xml`<card:filter test="anyof">${filters}</card:filter>`

function contains(name: string, word: string): Xml {
  const match = xml`<card:text-match collation="i;unicode-casemap" match-type="contains">${word}</card:text-match>`
  return { xml: `<card:prop-filter name="${name}">${match.xml}</card:prop-filter>` }
}

async function searchBook(nextcloud: Nextcloud, addressbook: string, { filter, fits }: Search) {
  const cards = await queryCards(
    nextcloud,
    addressbook,
    { propertyNames: listedProperties, filter },
    `searching ${addressbook}`,
  )
  return cards
    .filter(({ card }) => fits(toContact(card)))
    .map((storedCard) => toShort(nextcloud, addressbook, storedCard))
}

const getContact = defineTool({
  name: "nc_contacts_get_contact",
  title: "Read a contact",
  description: "One contact with all its fields, and the etag for changing it.",
  scopes: ["contacts.read"],
  effect: "read",
  input: object({ uid, addressbook: addressBookId }),
  output: fullContact,
  requestsNote: "One more for a vCard 4.0, because searches return it converted.",
  notRecorded: "Reading a vCard 4.0 as it is stored (PROPFIND of address-data).",
  run: async ({ uid, addressbook = usualBook }, nextcloud) =>
    toFullContact(nextcloud, addressbook, await findCard(nextcloud, addressbook, uid, `reading the contact ${uid}`)),
})

export const readTools = [listContacts, searchContacts, getContact]
