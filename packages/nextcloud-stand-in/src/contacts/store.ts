// The address books people have, with the cards in them, and the books that the server itself keeps. Nothing here knows
// of HTTP.

import type { PropertyName } from "../collections/answers.ts"
import { type Collection, createCollection, drop, type Item, keep, md5 } from "../collections/store.ts"
import type { Account, World } from "../world.ts"
import { type Xml, xml } from "../xml.ts"
import { noteBirthday } from "./birthdays.ts"
import { valueIn } from "./card.ts"

export interface Book extends Collection {
  readonly owner: string
  readonly uri: string
  /** Made by the server: nobody writes into it. */
  readonly generated: boolean
  /** What was set: name, description, anything. */
  readonly properties: Map<PropertyName, Xml>
}

export interface Contacts {
  readonly list: (user: string) => readonly Book[]
  readonly find: (user: string, uri: string) => Book | undefined
  readonly add: (user: string, uri: string, name?: string) => Book
  readonly removeBook: (user: string, uri: string) => boolean
  /** Throws when there is no such book. */
  readonly put: (user: string, uri: string, name: string, text: string) => Item
  readonly get: (user: string, uri: string, name: string) => Item | undefined
  readonly remove: (user: string, uri: string, name: string) => boolean
}

export const systemBook = "z-server-generated--system"
export const recentBook = "z-app-generated--contactsinteraction--recent"

/** The address books of this world, for the area and for tests. */
export function contactsOf(world: World): Contacts {
  return world.part("contacts", () => createContacts(world))
}

function createContacts(world: World): Contacts {
  const homes = world.state("contacts", () => new Map<string, Map<string, Book>>())

  const homeOf = (user: string): Map<string, Book> => {
    const home = homes.get(user) ?? new Map([["contacts", createBook(user, "contacts", "Contacts")]])
    homes.set(user, home)
    return home
  }
  const list = (user: string): readonly Book[] => [
    ...homeOf(user).values(),
    accountsOf(world, user),
    { ...createBook(user, recentBook, "Recently contacted"), generated: true },
  ]
  const find = (user: string, uri: string): Book | undefined => list(user).find((book) => book.uri === uri)

  return {
    list,
    find,
    add: (user, uri, name) => {
      const book = createBook(user, uri, name)
      homeOf(user).set(uri, book)
      return book
    },
    removeBook: (user, uri) => {
      const names = homeOf(user).get(uri)?.items.keys() ?? []
      for (const name of names) noteBirthday(world, { user, book: uri, name }, undefined)
      return homeOf(user).delete(uri)
    },
    put: (user, uri, name, text) => {
      const book = homeOf(user).get(uri)
      if (book === undefined) throw new Error(`${user} has no address book ${uri}.`)
      noteBirthday(world, { user, book: uri, name }, text)
      return keep(world, book, { name, text, uid: valueIn(text, "UID") ?? "" })
    },
    get: (user, uri, name) => find(user, uri)?.items.get(name),
    remove: (user, uri, name) => {
      const book = homeOf(user).get(uri)
      if (book === undefined || !drop(book, name)) return false
      noteBirthday(world, { user, book: uri, name }, undefined)
      return true
    },
  }
}

function createBook(owner: string, uri: string, name?: string): Book {
  const properties = new Map<PropertyName, Xml>(name === undefined ? [] : [["{DAV:}displayname", xml`${name}`]])
  return { ...createCollection(), owner, uri, generated: false, properties }
}

/** Everybody who has an account here, as the server knows them. */
function accountsOf(world: World, user: string): Book {
  const book = createBook(user, systemBook, "Accounts")
  book.properties.set(
    "{urn:ietf:params:xml:ns:carddav}addressbook-description",
    xml`System address book which holds all accounts`,
  )
  for (const account of world.users.values()) {
    if (account.groups.includes("admin")) continue
    const text = cardOf(account)
    const name = `Database:${account.id}.vcf`
    const modified = (account.firstLogin ?? 0) * 1000
    book.items.set(name, { name, text, uid: account.id, etag: md5(text), modified })
  }
  return { ...book, generated: true, token: 1 + book.items.size }
}

function cardOf({ id, displayName, email }: Account): string {
  const [first = "", ...rest] = displayName.split(" ")
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    "PRODID:-//Sabre//Sabre VObject 4.5.6//EN",
    `UID:${id}`,
    `FN;X-NC-SCOPE=v2-federated:${displayName}`,
    `N;X-NC-SCOPE=v2-federated:${rest.join(" ")};${first};;;`,
    ...(email === "" ? [] : [`EMAIL;TYPE=OTHER;X-NC-SCOPE=v2-federated:${email}`]),
    `CLOUD:${id}@nextcloud.test`,
    "END:VCARD",
    "",
  ]
  return lines.join("\r\n")
}
