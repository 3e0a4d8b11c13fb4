// Contacts, against the stand-in: what is written is read back, and other programs' properties survive.

import { createStandIn, type StandInOptions } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { contactTools } from "../../src/tools/contacts/contacts.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { contactsPeer } from "../peer/contacts.ts"
import { contactsSamples, createdContact } from "../samples/contacts.ts"
import { checkEvery } from "./every.ts"

interface Short {
  readonly uid: string
  readonly name: string
  readonly addressbook: string
}

interface Listed {
  readonly contacts: readonly Short[]
  readonly total: number
  readonly next_cursor?: string
}

function setUp(user = "alice", options: StandInOptions = {}) {
  const standIn = createStandIn(options)
  const url = `http://localhost${options.path ?? ""}`
  const connected = connect(standIn.fetch, { user, url })
  const { nextcloud } = connected
  const call = <O = Record<string, never>>(name: string, input: object) =>
    callTool<O>(toolOf(contactTools, `nc_contacts_${name}`), input, nextcloud)
  const confirmed = (name: string, input: object) =>
    confirmAndCall<{ deleted: string; contacts?: number }>(
      toolOf(contactTools, `nc_contacts_${name}`),
      input,
      nextcloud,
    )
  const home = `/remote.php/dav/addressbooks/users/${user === "dora" ? "ldap-7f3a" : user}`
  const storeCard = (name: string, body: string) =>
    nextcloud.send({
      method: "PUT",
      path: `${home}/contacts/${encodeURIComponent(name)}`,
      body,
      headers: { "content-type": "text/vcard" },
      activity: "x",
    })
  const stored = async (name: string) =>
    (await nextcloud.send({ path: `${home}/contacts/${encodeURIComponent(name)}`, activity: "x" })).text()
  return { ...connected, standIn, call, confirmed, home, storeCard, stored }
}

const full = {
  name: "Zoë Müller",
  nickname: "Zo",
  emails: [
    { address: "zoe@example.org", type: "home" },
    { address: "zoe@work.example", type: "work" },
  ],
  phones: [{ number: "+49 170 1234567", type: "cell" }],
  addresses: [{ street: "Hauptstraße 1", city: "Köln", postcode: "50667", country: "Germany", type: "home" }],
  organization: "ACME; Sons, Inc.",
  department: "R&D",
  job_title: "Head",
  birthday: "1990-04-01",
  note: "Line 1\nLine 2, with; all 🦊",
  urls: ["https://zoe.example/?a=1,2"],
  categories: ["Freunde", "Büro"],
}

describe("contacts", () => {
  it("are read back with every field that was given", async () => {
    const { call } = setUp()
    const { uid, etag } = await call<{ uid: string; etag: string }>("create_contact", full)
    expect(await call("get_contact", { uid })).toEqual({
      ...full,
      uid,
      etag,
      addressbook: "contacts",
      first_name: "Zoë",
      last_name: "Müller",
      has_photo: false,
      url: `http://localhost/index.php/apps/contacts/direct/contact/${uid}~contacts`,
    })
  })

  it("are created without overwriting anything", async () => {
    const { call, requests } = setUp()
    await call("create_contact", { name: "A" })
    expect(requests).toHaveLength(1)
    const [{ method, headers, path } = { method: "", headers: new Headers(), path: "" }] = requests
    expect({ method, condition: headers.get("if-none-match"), type: headers.get("content-type") }).toEqual({
      method: "PUT",
      condition: "*",
      type: "text/vcard; charset=utf-8",
    })
    expect(path).toMatch(/^\/remote\.php\/dav\/addressbooks\/users\/alice\/contacts\/[0-9a-f-]{36}\.vcf$/)
  })

  it("are found by UID under any file name, and keep other programs' properties when changed", async () => {
    const { call, storeCard, stored, requests, forget } = setUp()
    const card = [
      "BEGIN:VCARD",
      "VERSION:3.0",
      "UID:zoe-1",
      "FN:Zoë Müller",
      "N:Müller;Zoë;;;",
      "item1.TEL:+49 170 1",
      "item1.X-ABLABEL:Boat",
      "EMAIL;TYPE=HOME:zoe@example.org",
      "X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@zoe",
      "PHOTO;ENCODING=b;TYPE=JPEG:QUJDREVG",
      "END:VCARD",
      "",
    ].join("\r\n")
    await storeCard("odd name 100%.vcf", card)
    const { etag } = await call<{ etag: string }>("get_contact", { uid: "zoe-1" })
    forget()
    await call("update_contact", { uid: "zoe-1", etag, organization: "ACME", phones: [{ number: "+49 170 1" }] })
    expect(requests.map(({ method }) => method)).toEqual(["REPORT", "PUT"])
    expect(requests[1]?.headers.get("if-match")).toBe(`"${etag}"`)
    const after = await stored("odd name 100%.vcf")
    expect(after.replace(/REV:.*\r\n/, "")).toBe(card.replace("END:", "ORG:ACME\r\nEND:"))
  })

  it("of version 4 keep their version, although the server converts them in reports", async () => {
    const { call, storeCard, stored } = setUp()
    await storeCard("li.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:li-1\r\nFN:李 小龙\r\nGENDER:M\r\nEND:VCARD\r\n")
    const { etag } = await call<{ etag: string }>("get_contact", { uid: "li-1" })
    await call("update_contact", { uid: "li-1", etag, phones: [{ number: "+86 1", type: "cell" }] })
    expect((await stored("li.vcf")).replace(/REV:.*\r\n/, "")).toBe(
      "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:li-1\r\nFN:李 小龙\r\nGENDER:M\r\nTEL;TYPE=cell;VALUE=TEXT:+86 1\r\nEND:VCARD\r\n",
    )
  })

  it("that have changed since they were read are not overwritten, and the current state is returned", async () => {
    const { call, nextcloud } = setUp()
    const { uid, etag } = await createdContact(nextcloud)
    await call("update_contact", { uid, etag, note: "from elsewhere" })
    await expect(call("update_contact", { uid, etag, note: "mine" })).rejects.toMatchObject({
      kind: "conflict",
      current: { uid, note: "from elsewhere", etag: expect.not.stringContaining(etag) },
    })
    expect(await call("get_contact", { uid })).toMatchObject({ note: "from elsewhere" })
  })

  it("are not overwritten when they change between reading and writing", async () => {
    const { standIn, nextcloud, call } = setUp()
    const { uid, etag } = await createdContact(nextcloud)
    const late = connect(
      async (request) => {
        if (request.method === "PUT") await call("update_contact", { uid, etag, note: "first" })
        return standIn.fetch(request)
      },
      { url: "http://localhost" },
    )
    const update = toolOf(contactTools, "nc_contacts_update_contact")
    await expect(callTool(update, { uid, etag, note: "second" }, late.nextcloud)).rejects.toMatchObject({
      kind: "conflict",
      current: { note: "first" },
    })
  })

  it("refuse an update without changes before anything is sent", async () => {
    const { call, requests } = setUp()
    await expect(call("update_contact", { uid: "a", etag: "b" })).rejects.toThrow("there is nothing to change")
    expect(requests).toHaveLength(0)
  })

  it.each(["1990-02-30", "1990-13-01", "--02-30", "1990-00-10"])("cannot have a birthday on %s", async (birthday) => {
    const { nextcloud, call, requests } = setUp()
    await expect(call("create_contact", { name: "Zoë", birthday })).rejects.toThrow("is not a date")
    const { uid, etag } = await createdContact(nextcloud)
    const sent = requests.length
    await expect(call("update_contact", { uid, etag, birthday })).rejects.toThrow("is not a date")
    expect(requests).toHaveLength(sent)
    expect(await call("create_contact", { name: "Zoë", birthday: "--02-29" })).toMatchObject({ name: "Zoë" })
  })

  it("are listed in pages, sorted by name, without pictures and notes", async () => {
    const { call, nextcloud, requests, forget } = setUp()
    const addressBook = "team"
    await call("create_addressbook", { name: "Team", id: addressBook })
    for (const name of ["Cem C", "Äda A", "Bob B"]) await createdContact(nextcloud, { name, addressbook: addressBook })
    forget()
    const first = await call<Listed>("list_contacts", { addressbook: addressBook, limit: 2 })
    expect(first).toMatchObject({ total: 3, contacts: [{ name: "Äda A" }, { name: "Bob B" }] })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.body).toContain('<card:prop name="FN"/>')
    expect(requests[0]?.body).not.toContain("PHOTO")
    const second = await call<Listed>("list_contacts", {
      addressbook: addressBook,
      limit: 2,
      cursor: first.next_cursor,
    })
    expect(second.contacts.map(({ name }) => name)).toEqual(["Cem C"])
    expect(second).not.toHaveProperty("next_cursor")
  })

  it("are searched on the server by all words, in names, addresses and numbers, in any book", async () => {
    const { call, requests, forget } = setUp()
    await call("create_contact", full)
    await call("create_contact", { name: "Zoë Other", phones: [{ number: "0170/9999" }] })
    await call("create_addressbook", { name: "Other", id: "other" })
    await call("create_contact", { name: "Max & <Moritz>", organization: "ACME", addressbook: "other" })
    const names = async (query: string, addressbook?: string) =>
      (
        await call<Listed>("search_contacts", { query, ...(addressbook === undefined ? {} : { addressbook }) })
      ).contacts.map(({ name }) => name)
    expect(await names("zoë")).toEqual(["Zoë Müller", "Zoë Other"])
    expect(await names("ZOË müll")).toEqual(["Zoë Müller"])
    expect(await names("WORK.example")).toEqual(["Zoë Müller"])
    expect(await names("acme")).toEqual(["Max & <Moritz>", "Zoë Müller"])
    expect(await names("acme", "other")).toEqual(["Max & <Moritz>"])
    expect(await names("& <mor")).toEqual(["Max & <Moritz>"])
    for (const query of ["+49 (170) 1234567", "0170 1234567", "1234567", "+491701234567", "0049 170 12 34 567"])
      expect(await names(query), query).toEqual(["Zoë Müller"])
    expect(await names("+49 (0)170 9999")).toEqual(["Zoë Other"])
    expect(await names("170 5555555")).toEqual([])
    expect(await names("nobody at all")).toEqual([])
    forget()
    await names("zoë", "contacts")
    expect(requests.map(({ method }) => method)).toEqual(["REPORT"])
  })

  it("are deleted as they were shown, and not if they have changed since", async () => {
    const { call, confirmed, nextcloud, requests, forget } = setUp()
    const { uid, etag } = await createdContact(nextcloud)
    const tool = toolOf(contactTools, "nc_contacts_delete_contact")
    const loss = await aboutOf(tool, { uid }, nextcloud)
    expect(loss).toMatchObject({ what: "the contact “Zoë Müller”", guard: etag })
    expect(loss.details?.join(" ")).toContain("zoe@example.org")
    await call("update_contact", { uid, etag, note: "new" })
    await expect(callTool(tool, { uid }, nextcloud, { loss })).rejects.toMatchObject({
      kind: "conflict",
      current: { note: "new" },
    })
    forget()
    expect((await confirmed("delete_contact", { uid })).output).toEqual({ deleted: "Zoë Müller" })
    expect(requests.map(({ method }) => method)).toEqual(["REPORT", "REPORT", "DELETE"])
    await expect(call("get_contact", { uid })).rejects.toMatchObject({ kind: "not_found" })
  })

  it("work for a user whose id differs from the login name, on a server in a subfolder", async () => {
    const { call, home, requests } = setUp("dora", { path: "/cloud" })
    const { uid, etag } = await call<{ uid: string; etag: string }>("create_contact", { name: "A B" })
    await call("update_contact", { uid, etag, note: "x" })
    expect(await call("get_contact", { uid })).toMatchObject({ note: "x" })
    expect(new Set(requests.map(({ path }) => path.startsWith(`/cloud${home}/contacts/`)))).toEqual(new Set([true]))
  })

  it("that do not exist, or whose address book does not exist, are reported as not found", async () => {
    const { call } = setUp()
    await expect(call("get_contact", { uid: "none" })).rejects.toThrow(/no contact with the uid none/)
    await expect(call("list_contacts", { addressbook: "none" })).rejects.toMatchObject({ kind: "not_found" })
    await expect(call("create_contact", { name: "A", addressbook: "none" })).rejects.toMatchObject({
      kind: "not_found",
    })
    await expect(call("list_contacts", { addressbook: "../bob/contacts" })).rejects.toMatchObject({ kind: "invalid" })
  })
})

describe("a read-only address book", () => {
  const addressbook = "z-server-generated--system"

  it("can be read, and every write is refused as read-only", async () => {
    const { call, confirmed } = setUp()
    const { contacts } = await call<Listed>("list_contacts", { addressbook })
    const { uid } = contacts[0] ?? { uid: "" }
    const { etag } = await call<{ etag: string }>("get_contact", { uid, addressbook })
    const writes = [
      () => call("create_contact", { name: "A", addressbook }),
      () => call("update_contact", { uid, etag, note: "x", addressbook }),
      () => confirmed("delete_contact", { uid, addressbook }),
    ]
    for (const write of writes) await expect(write()).rejects.toMatchObject({ kind: "forbidden", status: 404 })
    await expect(call("create_contact", { name: "A", addressbook })).rejects.toThrow(/“Accounts” is read-only/)
  })

  it.each([403, 500])("is reported as read-only where the server answers %s to a write", async (status) => {
    const standIn = createStandIn()
    const { nextcloud } = connect(
      (request) =>
        ["PUT", "DELETE"].includes(request.method) && request.url.includes(addressbook)
          ? Promise.resolve(new Response("<html>Internal Server Error</html>", { status }))
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const run = (name: string, input: object): Promise<unknown> =>
      callTool(toolOf(contactTools, name), input, nextcloud)
    const writes = [
      () => run("nc_contacts_create_contact", { name: "A", addressbook }),
      () => run("nc_contacts_delete_addressbook", { addressbook }),
    ]
    for (const write of writes) {
      const error = await write().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ kind: "forbidden", status })
      expect(String(error)).toMatch(/“Accounts” is read-only/)
      expect(String(error)).not.toMatch(/later/)
    }
  })

  it("that does not exist is refused with the list of those that do", async () => {
    const { call } = setUp()
    await expect(call("create_contact", { name: "A", addressbook: "none" })).rejects.toThrow(/contacts \(“Contacts”\)/)
  })
})

describe("address books", () => {
  it("of other people are announced as only removed from the list, with nothing lost", async () => {
    const standIn = createStandIn()
    // The response for an address book that bob shares.
    const { nextcloud } = connect(
      async (request) => {
        const answer = await standIn.fetch(request)
        if (!request.url.endsWith("/addressbooks/users/alice/contacts/")) return answer
        const text = (await answer.text()).replace(">principals/users/alice<", ">principals/users/bob<")
        return new Response(text, { status: answer.status })
      },
      { url: "http://localhost" },
    )
    const tool = toolOf(contactTools, "nc_contacts_delete_addressbook")
    const { details } = await aboutOf(tool, { addressbook: "contacts" }, nextcloud)
    expect(details).toEqual(["It belongs to bob: it is only removed from your list, and nothing is lost."])
  })

  it("are created with special characters in their names, and listed", async () => {
    const { call, requests } = setUp()
    const name = `Kölner <Freunde> & "Co" ]]>`
    expect(await call("create_addressbook", { name, description: "a<b" })).toEqual({ id: "kolner-freunde-co", name })
    expect(requests.map(({ method }) => method)).toEqual(["MKCOL"])
    const { addressbooks } = await call<{ addressbooks: readonly object[] }>("list_addressbooks", {})
    expect(addressbooks).toContainEqual({ id: "kolner-freunde-co", name, description: "a<b", can_write: true })
    expect(addressbooks).toContainEqual(expect.objectContaining({ id: "z-server-generated--system", can_write: false }))
    await expect(call("create_addressbook", { name })).rejects.toMatchObject({ kind: "conflict", status: 405 })
  })

  it("are deleted after their number of contacts was shown, and not if one was added since", async () => {
    const { call, confirmed, nextcloud } = setUp()
    await call("create_addressbook", { name: "Old", id: "old" })
    await createdContact(nextcloud, { addressbook: "old" })
    const tool = toolOf(contactTools, "nc_contacts_delete_addressbook")
    const loss = await aboutOf(tool, { addressbook: "old" }, nextcloud)
    expect(loss).toMatchObject({
      what: "the address book “Old”",
      details: ["1 contact in it.", "It cannot be undone."],
    })
    await createdContact(nextcloud, { addressbook: "old" })
    await expect(callTool(tool, { addressbook: "old" }, nextcloud, { loss })).rejects.toMatchObject({
      kind: "conflict",
      current: { contacts: 2 },
    })
    expect((await confirmed("delete_addressbook", { addressbook: "old" })).output).toEqual({
      deleted: "Old",
      contacts: 2,
    })
    await expect(call("list_contacts", { addressbook: "old" })).rejects.toMatchObject({ kind: "not_found" })
  })
})

checkEvery(contactTools, contactsSamples, contactsPeer)
