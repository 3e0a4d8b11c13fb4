// The stand-in's address books store cards, find them by their fields, and turn birthdays into events.

import { describe, expect, it } from "vitest"
import { calendarsOf } from "../src/calendar/store.ts"
import { check } from "../src/contacts/card.ts"
import { seedContacts } from "../src/contacts/seed.ts"
import { contactsOf } from "../src/contacts/store.ts"
import { createDavClient, namesOf } from "./dav.ts"

const card = (...lines: readonly string[]): string => ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n")

const home = "addressbooks/users/alice/"
const addressBook = `${home}contacts/`

const query = (filter: string, data = "<c:address-data/>"): string =>
  `<c:addressbook-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:prop><d:getetag/>${data}</d:prop>${filter}</c:addressbook-query>`

const match = (name: string, text: string, type = "contains", more = ""): string =>
  `<c:prop-filter name="${name}"><c:text-match match-type="${type}"${more}>${text}</c:text-match></c:prop-filter>`

describe("cards", () => {
  it("are returned byte for byte, and as version 3 in reports unless 4 is requested", async () => {
    const { ask, find } = createDavClient()
    const text = card("VERSION:4.0", "UID:li", "FN:李 小龙", "EMAIL;PREF=1:li@example.org", "X-OWN:kept")
    const response = await ask("PUT", `${addressBook}li.vcf`, { body: text })
    const got = await ask("GET", `${addressBook}li.vcf`)
    expect([response.status, got.headers.get("etag"), await got.text()]).toEqual([
      201,
      response.headers.get("etag"),
      text,
    ])
    const data = async (wish: string) =>
      (await find("REPORT", addressBook, { body: query("", wish) }))[0]?.properties["address-data"]?.text
    expect(await data("<c:address-data/>")).toContain("VERSION:3.0\r\nPRODID:")
    expect(await data('<c:address-data content-type="text/vcard" version="4.0"/>')).toBe(text)
    expect(await data('<c:address-data version="4.0"><c:prop name="fn"/></c:address-data>')).toBe(
      card("VERSION:4.0", "FN:李 小龙"),
    )
  })

  it("are not overwritten with a stale etag, nor created twice with the same UID", async () => {
    const { ask, world } = createDavClient()
    const old = contactsOf(world).put("alice", "contacts", "a.vcf", card("VERSION:3.0", "UID:a", "FN:One"))
    contactsOf(world).put("alice", "contacts", "a.vcf", card("VERSION:3.0", "UID:a", "FN:Two"))
    const body = card("VERSION:3.0", "UID:a", "FN:Three")
    const stale = await ask("PUT", `${addressBook}a.vcf`, { body, headers: { "if-match": `"${old.etag}"` } })
    const twin = await ask("PUT", `${addressBook}b.vcf`, { body })
    expect([stale.status, twin.status]).toEqual([412, 400])
    expect(contactsOf(world).get("alice", "contacts", "a.vcf")?.text).toContain("FN:Two")
  })

  it("with long lines are folded between characters", async () => {
    const { find, world } = createDavClient()
    const note = "ü🦊".repeat(40)
    contactsOf(world).put("alice", "contacts", "a.vcf", card("VERSION:3.0", "UID:a", "FN:A", `NOTE:${note}`))
    const text = (await find("REPORT", addressBook, { body: query("") }))[0]?.properties["address-data"]?.text ?? ""
    expect(Math.max(...text.split("\r\n").map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(text.replace(/\r\n /g, "")).toContain(note)
  })
})

describe("a query", () => {
  const ask = async (filter: string) => {
    const client = createDavClient()
    seedContacts(client.world)
    return namesOf(await client.find("REPORT", addressBook, { body: query(filter) }))
  }

  it("finds by any or all of several fields", async () => {
    const both = match("FN", "zoë") + match("ORG", "example ltd")
    expect(await ask(`<c:filter>${both}</c:filter>`)).toEqual(["bob.vcf", "zoe.vcf"])
    expect(await ask(`<c:filter test="allof">${both}</c:filter>`)).toEqual([])
    const all = match("FN", "ZOË") + match("TEL", "170")
    expect(await ask(`<c:filter test="allof">${all}</c:filter>`)).toEqual(["zoe.vcf"])
  })

  it("finds by beginning, end, whole value and absence", async () => {
    expect(await ask(`<c:filter>${match("EMAIL", "bob@", "starts-with")}</c:filter>`)).toEqual(["bob.vcf"])
    expect(await ask(`<c:filter>${match("EMAIL", ".cn", "ends-with")}</c:filter>`)).toEqual(["li.vcf"])
    expect(await ask(`<c:filter>${match("FN", "mum", "equals")}</c:filter>`)).toEqual(["mum.vcf"])
    const absent = '<c:filter><c:prop-filter name="EMAIL"><c:is-not-defined/></c:prop-filter></c:filter>'
    expect(await ask(absent)).toEqual(["mum.vcf", "plumber.vcf"])
    const others = match("CATEGORIES", "work", "contains", ' negate-condition="yes"')
    expect(await ask(`<c:filter>${others}</c:filter>`)).toEqual(["mum.vcf", "zoe.vcf"])
  })

  it("stops at the limit", async () => {
    expect(await ask("<c:limit><c:nresults>2</c:nresults></c:limit>")).toEqual(["amelie.vcf", "bob.vcf"])
  })
})

describe("address books", () => {
  it("are created, and deleted with their cards", async () => {
    const { ask, find, world } = createDavClient()
    seedContacts(world)
    const body = `<d:mkcol xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:set><d:prop><d:resourcetype><d:collection/><c:addressbook/></d:resourcetype><d:displayname>Büro</d:displayname></d:prop></d:set></d:mkcol>`
    expect((await ask("MKCOL", `${home}office/`, { body })).status).toBe(201)
    expect((await ask("DELETE", `${home}family/`)).status).toBe(204)
    const resources = await find("PROPFIND", home)
    expect(namesOf(resources)).toEqual([
      ...["alice", "contacts", "office", "z-server-generated--system"],
      "z-app-generated--contactsinteraction--recent",
    ])
    expect(resources.find(({ href }) => href.endsWith("/office/"))?.properties.displayname?.text).toBe("Büro")
  })

  it("of the server list all accounts and are read-only", async () => {
    const { ask, find } = createDavClient()
    const system = `${home}z-server-generated--system/`
    expect(namesOf(await find("PROPFIND", system))).toContain("Database:bob.vcf")
    expect((await ask("DELETE", `${system}Database:bob.vcf`)).status).toBe(404)
  })
})

describe("birthdays", () => {
  it("are in the calendar of birthdays as long as the card has one", async () => {
    const { ask, find, world } = createDavClient()
    const birthdays = () => [...(calendarsOf(world).find("alice", "contact_birthdays")?.calendar.items.values() ?? [])]
    await ask("PUT", `${addressBook}zoe.vcf`, { body: card("VERSION:3.0", "UID:z", "FN:Zoë", "BDAY:1990-04-01") })
    expect(birthdays()[0]?.text).toContain("SUMMARY:🎂 Zoë (1990)")
    const body = `<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="20270401T000000Z" end="20270402T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
    expect(await find("REPORT", "calendars/alice/contact_birthdays/", { body })).toHaveLength(1)
    await ask("PUT", `${addressBook}zoe.vcf`, { body: card("VERSION:3.0", "UID:z", "FN:Zoë") })
    expect(birthdays()).toEqual([])
  })
})

describe("the initial content", () => {
  it("is accepted by the address books that it is in", () => {
    const { world } = createDavClient()
    seedContacts(world)
    const items = contactsOf(world)
      .list("alice")
      .filter(({ generated }) => !generated)
      .flatMap((addressBook) => [...addressBook.items.values()])
    expect(items.filter(({ text }) => "refused" in check(text))).toEqual([])
    expect(items).toHaveLength(8)
  })
})
