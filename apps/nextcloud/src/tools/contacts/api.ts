// Address books and cards over CardDAV. A card is found by its UID, because its file can have any name.

import { davSend, maybeReadOnly, multistatus, propfind } from "../../api/dav.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import { lastSegment, toServerEncoding, userIdOf } from "../../path-encoding.ts"
import type { Card } from "../../vcard/card.ts"
import { loadIcal, parseCard } from "../../vcard/card.ts"
import type { Contact } from "../../vcard/contact.ts"
import { textOf as cardText, toContact } from "../../vcard/contact.ts"
import type { Element, Xml } from "../../xml.ts"
import { calendarServer, carddav, childOf, childrenOf, dav, oc, textOf, toDocument, xml } from "../../xml.ts"

export const usualBook = "contacts"

export interface AddressBook {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly can_write: boolean
}

export interface StoredCard {
  /** The encoded path from the root of the host. */
  readonly href: string
  readonly etag: string
  readonly card: Card
}

export async function homePath(nextcloud: Nextcloud): Promise<string> {
  return `/remote.php/dav/addressbooks/users/${encodeURIComponent(await nextcloud.userId())}/`
}

export async function bookPath(nextcloud: Nextcloud, addressBook: string, activity: string): Promise<string> {
  if (addressBook === "" || addressBook === "." || addressBook === ".." || addressBook.includes("/"))
    throw nextcloudError("invalid", { activity, because: `“${addressBook}” is not the id of an address book` })
  return `${await homePath(nextcloud)}${encodeURIComponent(addressBook)}/`
}

export async function readBooks(nextcloud: Nextcloud): Promise<readonly AddressBook[]> {
  const props = xml`<d:resourcetype/><d:displayname/><card:addressbook-description/><d:current-user-privilege-set/>`
  const activity = "listing the address books"
  const items = await propfind(nextcloud, { path: await homePath(nextcloud), props, depth: 1, activity })
  return items.filter(isBook).map((item) => toBook(lastSegment(item.href), item.props))
}

const isBook = ({ props }: { readonly props: Element }): boolean =>
  childOf(childOf(props, dav, "resourcetype"), carddav, "addressbook") !== undefined

export function toBook(id: string, props: Element): AddressBook {
  const description = textOf(props, carddav, "addressbook-description")
  const privileges = childrenOf(childOf(props, dav, "current-user-privilege-set"), dav, "privilege")
  return {
    id,
    name: textOf(props, dav, "displayname") || id,
    ...(description === undefined || description === "" ? {} : { description }),
    can_write: privileges.some((privilege) =>
      ["bind", "all"].some((name) => childOf(privilege, dav, name) !== undefined),
    ),
  }
}

/**
 * Reads an address book: its owner if it is shared by someone else, the number of its cards, and a tag that changes
 * with its content.
 */
export async function readBook(nextcloud: Nextcloud, id: string, activity: string) {
  const props = xml`<d:resourcetype/><d:displayname/><oc:owner-principal/><cs:getctag/>`
  const items = await propfind(nextcloud, { path: await bookPath(nextcloud, id, activity), props, depth: 1, activity })
  const addressBook = items.find(isBook)
  if (addressBook === undefined) throw nextcloudError("not_found", { activity })
  const guard = textOf(addressBook.props, calendarServer, "getctag") ?? ""
  const owner = userIdOf(textOf(addressBook.props, oc, "owner-principal") ?? "")
  const ownerFields = owner === undefined || owner === (await nextcloud.userId()) ? {} : { owner }
  return { ...toBook(id, addressBook.props), ...ownerFields, cards: items.length - 1, guard }
}

/**
 * Runs a write in an address book. Read-only ones answer writes with 404 or 500: the reason is looked up before the
 * error is passed on.
 */
export async function inBook<T>(
  nextcloud: Nextcloud,
  id: string,
  activity: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!isNextcloudError(error) || !maybeReadOnly(error)) throw error
    const all = await readBooks(nextcloud)
    const addressBook = all.find((book) => book.id === id)
    if (addressBook?.can_write === true) throw error
    if (addressBook !== undefined) {
      const because = `this account may not do that: the address book “${addressBook.name}” is read-only`
      throw nextcloudError("forbidden", { activity, status: error.status, because })
    }
    if (error.kind !== "not_found") throw error
    const bookList = all.map((book) => `${book.id} (“${book.name}”)`).join(", ")
    const because = `there is no address book “${id}”`
    throw nextcloudError("not_found", { activity, because, advice: `The address books are: ${bookList}.` })
  }
}

export interface CardQuery {
  /** The names of the wanted properties. Absent: all. */
  readonly propertyNames?: readonly string[]
  readonly filter?: Xml
}

/** Queries the cards of an address book. Cards that cannot be parsed are left out. */
export async function queryCards(
  nextcloud: Nextcloud,
  book: string,
  { propertyNames = [], filter }: CardQuery,
  activity: string,
): Promise<readonly StoredCard[]> {
  const requestedProps = propertyNames.map((name) => ({ xml: `<card:prop name="${name}"/>` }))
  const prop = xml`<d:prop><d:getetag/><card:address-data>${requestedProps}</card:address-data></d:prop>${filter}`
  const body = toDocument("card:addressbook-query", prop)
  const path = await bookPath(nextcloud, book, activity)
  const items = multistatus(await davSend(nextcloud, { method: "REPORT", path, body, depth: 1, activity }), activity)
  const ical = await loadIcal()
  return items.flatMap(({ href, props }) => {
    const card = parseCard(ical, textOf(props, carddav, "address-data") ?? "")
    return card === undefined ? [] : [{ href, etag: toEtag(textOf(props, dav, "getetag")), card }]
  })
}

/** Finds a card by its UID, complete and as it is stored. Throws when there is none. */
export async function findCard(
  nextcloud: Nextcloud,
  addressBook: string,
  uid: string,
  activity: string,
): Promise<StoredCard> {
  const match = xml`<card:text-match collation="i;unicode-casemap" match-type="equals">${uid}</card:text-match>`
  const filter = xml`<card:filter><card:prop-filter name="UID">${match}</card:prop-filter></card:filter>`
  const cards = await queryCards(nextcloud, addressBook, { filter }, activity)
  const exactMatch = cards.find(({ card }) => cardText(card, "UID") === uid)
  if (exactMatch === undefined) {
    const because = `no contact with the uid ${uid} is in the address book “${addressBook}”`
    throw nextcloudError("not_found", { activity, because })
  }
  return isConverted(exactMatch.card) ? readStored(nextcloud, exactMatch, activity) : exactMatch
}

/**
 * Whether the server converted the card from version 4: queries return version 3, and the converter writes its name
 * into PRODID.
 */
const isConverted = (card: Card): boolean => cardText(card, "PRODID").includes("Sabre")

async function readStored(nextcloud: Nextcloud, storedCard: StoredCard, activity: string): Promise<StoredCard> {
  const props = xml`<d:getetag/><card:address-data/>`
  const [item] = await propfind(nextcloud, { path: belowServer(nextcloud, storedCard.href), props, activity })
  const card = parseCard(await loadIcal(), textOf(item?.props, carddav, "address-data") ?? "")
  return card === undefined ? storedCard : { ...storedCard, etag: toEtag(textOf(item?.props, dav, "getetag")), card }
}

/**
 * The path of an href below Nextcloud's address, without the subfolder in which Nextcloud is installed. A host in the
 * href is dropped: behind a proxy it may be wrong and must not be called.
 */
export function belowServer(nextcloud: Nextcloud, href: string): string {
  const path = href.replace(/^https?:\/\/[^/]+/i, "")
  const folder = new URL(nextcloud.url).pathname.replace(/\/$/, "")
  return folder !== "" && path.startsWith(`${folder}/`) ? path.slice(folder.length) : path
}

export const toEtag = (header: string | null | undefined): string => toBareEtag(header ?? "")

/** The link that opens the contact in the Contacts app, if installed. The app decodes the last segment twice. */
export function contactLink(nextcloud: Nextcloud, addressBook: string, uid: string): string {
  const name = `${uid}~${toServerEncoding(encodeURIComponent(addressBook))}`
  return nextcloud.link(`/apps/contacts/direct/contact/${encodeURIComponent(encodeURIComponent(name))}`)
}

export const toFullContact = (
  nextcloud: Nextcloud,
  book: string,
  { card, etag }: Pick<StoredCard, "card" | "etag">,
) => {
  const contact: Contact = toContact(card)
  return {
    ...contact,
    addressbook: book,
    etag,
    has_photo: card.lines.some(({ name }) => name === "PHOTO"),
    url: contactLink(nextcloud, book, contact.uid),
  }
}
