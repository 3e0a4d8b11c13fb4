// vCards of both versions: their fields as tools read them, and the lines that survive a change.

import { recordingsOf } from "@holdpoint/nextcloud-stand-in/recordings"
import { describe, expect, it } from "vitest"
import { loadIcal, parseCard, writeCard } from "../../src/vcard/card.ts"
import type { Changes } from "../../src/vcard/change.ts"
import { changeCard, newCard } from "../../src/vcard/change.ts"
import { toContact } from "../../src/vcard/contact.ts"

const ical = await loadIcal()
const stamp = { now: new Date("2026-11-15T08:00:00.000Z") }

const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${"QUJD".repeat(16)}\r\n ${"REVG".repeat(18)}\r\n ${"R0hJ".repeat(5)}`

/** A vCard as an iPhone writes it, with additional lines of other programs. */
const apple = [
  "BEGIN:VCARD",
  "VERSION:3.0",
  "PRODID:-//Apple Inc.//iOS 18//EN",
  "UID:zoe-1",
  "N:Müller;Zoë;Maria;Dr.;",
  "FN:Dr. Zoë Müller",
  "NICKNAME:Zo",
  "ORG:ACME;R&D;Lab 3",
  "EMAIL;type=INTERNET;type=HOME;type=pref:zoe@example.org",
  "item1.EMAIL;type=INTERNET:zoe@summer.example",
  "item1.X-ABLabel:Summer house",
  "TEL;CELL:+49 170 1234567",
  "item2.TEL:+49 30 555",
  "item2.X-ABLabel:_$!<Assistant>!$_",
  "item3.ADR;type=HOME:;;Hauptstraße 1\\, Hof;Köln;NRW;50667;Germany",
  "item3.X-ABADR:de",
  "item4.URL:https://zoe.example/a,b;c",
  "item4.X-ABLabel:_$!<HomePage>!$_",
  "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-01",
  "NOTE:Line1\\nLine2\\; with\\, commas 🦊",
  "CATEGORIES:Freunde,Büro",
  "X-SOCIALPROFILE;type=mastodon;x-user=zoe:https://social.example/@zoe",
  'X-CUSTOM;X-PARAM="a:b;c":some\\,thing;raw',
  "IMPP;X-SERVICE-TYPE=Skype:skype:zoe",
  photo,
  "BROKEN LINE WITHOUT VALUE",
  "END:VCARD",
  "",
].join("\r\n")

const read = (text: string) => {
  const card = parseCard(ical, text)
  if (card === undefined) throw new Error("no card")
  return card
}

const change = (text: string, changes: Changes): string => writeCard(changeCard(ical, read(text), changes, stamp))

const withoutRev = (text: string): readonly string[] =>
  text
    .replace(/\r\n[ \t]/g, "")
    .split("\r\n")
    .filter((line) => !line.startsWith("REV:"))

describe("reading", () => {
  it("returns names, labels, parts of addresses and days without a year", () => {
    expect(toContact(read(apple))).toEqual({
      uid: "zoe-1",
      name: "Dr. Zoë Müller",
      first_name: "Zoë",
      last_name: "Müller",
      nickname: "Zo",
      emails: [
        { address: "zoe@example.org", type: "home" },
        { address: "zoe@summer.example", type: "Summer house" },
      ],
      phones: [
        { number: "+49 170 1234567", type: "cell" },
        { number: "+49 30 555", type: "Assistant" },
      ],
      addresses: [
        {
          street: "Hauptstraße 1, Hof",
          city: "Köln",
          region: "NRW",
          postcode: "50667",
          country: "Germany",
          type: "home",
        },
      ],
      organization: "ACME",
      department: "R&D",
      birthday: "--04-01",
      note: "Line1\nLine2; with, commas 🦊",
      urls: ["https://zoe.example/a,b;c"],
      categories: ["Freunde", "Büro"],
    })
  })

  it("understands version 4, with numbers as URIs and days in its short form", () => {
    const text =
      "BEGIN:VCARD\nVERSION:4.0\nUID:li-1\nFN:李 小龙\nN:小龙;李;;;\nTEL;VALUE=uri;TYPE=cell:tel:+49-170\nBDAY:19900401\nEND:VCARD\n"
    expect(toContact(read(text))).toMatchObject({
      name: "李 小龙",
      phones: [{ number: "+49-170", type: "cell" }],
      birthday: "1990-04-01",
    })
  })

  it("reads every card recorded from a real server, and writes it back unchanged", () => {
    const texts = recordingsOf("carddav").flatMap(({ request, response }) =>
      [request.body, response.body].flatMap(
        (body) => body?.replaceAll("&#13;", "\r").match(/BEGIN:VCARD[\s\S]*?END:VCARD/g) ?? [],
      ),
    )
    expect(texts.length).toBeGreaterThan(30)
    for (const text of texts) {
      const card = read(text)
      expect(card.lines.filter(({ property }) => property === undefined)).toEqual([])
      expect(writeCard(card)).toBe(`${text.replace(/\r?\n|\r/g, "\r\n").replace(/(\r\n)+/g, "\r\n")}\r\n`)
      expect(toContact(card).name).not.toBe("")
    }
  })

  it("does not accept other text as a card", () => {
    expect(parseCard(ical, "nonsense")).toBeUndefined()
    expect(parseCard(ical, "BEGIN:VCARD\r\nFN:x")).toBeUndefined()
  })
})

describe("changing", () => {
  it("adds a new line and leaves every other line unchanged", () => {
    const before = withoutRev(apple)
    const after = withoutRev(change(apple, { job_title: "Boss" }))
    expect(after).toEqual([...before.slice(0, -2), "TITLE:Boss", ...before.slice(-2)])
    expect(change(apple, { job_title: "Boss" })).toContain(photo)
  })

  it("keeps the parts of the name and the organization that are not given", () => {
    const after = change(apple, { last_name: "Schmidt", organization: "New; Co" })
    expect(after).toContain("N:Schmidt;Zoë;Maria;Dr.;\r\n")
    expect(after).toContain("ORG:New\\; Co;R&D;Lab 3\r\n")
    expect(after, "it was written apart from its parts").toContain("FN:Dr. Zoë Müller\r\n")
  })

  it("updates the displayed name from its parts, and the parts from the name", () => {
    const plain = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:Zoë Müller\r\nN:Müller;Zoë;;;\r\nEND:VCARD\r\n"
    expect(change(plain, { last_name: "Schmidt" })).toContain("FN:Zoë Schmidt\r\nN:Schmidt;Zoë;;;\r\n")
    expect(change(plain, { name: "Zoë Anna Maier" })).toContain("FN:Zoë Anna Maier\r\nN:Maier;Zoë Anna;;;\r\n")
  })

  it("keeps the parameters and labels of entries that stay, and removes the label of one that goes", () => {
    const emails = [{ address: "ZOE@example.org" }, { address: "new@example.org", type: "work" }]
    const after = change(apple, { emails })
    expect(after).toContain(
      "EMAIL;type=INTERNET;type=HOME;type=pref:zoe@example.org\r\nEMAIL;TYPE=WORK:new@example.org\r\n",
    )
    expect(after).not.toContain("summer")
    expect(after).not.toContain("Summer house")
    expect(after).toContain("item2.TEL:+49 30 555\r\nitem2.X-ABLabel:_$!<Assistant>!$_\r\n")
  })

  it("still marks a number of version 4 as a URI when its type changes", () => {
    const text = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:a\r\nFN:A\r\nTEL;VALUE=uri;TYPE=cell:tel:+49-170\r\nEND:VCARD\r\n"
    const after = change(text, { phones: [{ number: "+49-170", type: "work" }] })
    expect(after).toMatch(/^TEL;(?=.*VALUE=uri)(?=.*TYPE=work).*:tel:\+49-170\r$/im)
  })

  it.each([
    ["EMAIL", "EMAIL:", { emails: [] }],
    ["EMAIL", "EMAIL:carol@example.org", { emails: [{ address: "carol@example.org" }] }],
    ["EMAIL", "EMAIL:old", { emails: [{ address: "old" }] }],
    ["CATEGORIES", "CATEGORIES:new", { categories: ["new"] }],
  ])("keeps the first line %s when it cannot be parsed, besides “%s”", (name, added, changes) => {
    const unreadable = `${name};TYPE="work:x`
    for (const old of [[], [`${name}:old`]]) {
      const all = ["BEGIN:VCARD", "VERSION:3.0", "UID:a", "FN:A", unreadable, ...old, "END:VCARD", ""]
      expect(read(all.join("\r\n")).lines[3]?.property).toBeUndefined()
      const lines = withoutRev(change(all.join("\r\n"), changes)).filter((line) => line.startsWith(name))
      expect(lines.toSorted()).toEqual([added, unreadable].filter((line) => !line.endsWith(":")).toSorted())
    }
  })

  it("changes the line that was read, not one before it that cannot be parsed", () => {
    const text = `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:A\r\nNOTE;TYPE="x:y\r\nNOTE:old\r\nEND:VCARD\r\n`
    expect(toContact(read(text)).note).toBe("old")
    expect(withoutRev(change(text, { note: "new" })).slice(4, -2)).toEqual([`NOTE;TYPE="x:y`, "NOTE:new"])
  })

  it("sets a new type of an entry, or a custom label where the type is not a token", () => {
    const phones = [
      { number: "+49 170 1234567", type: "work" },
      { number: "+49 30 555", type: "Beach hut №1" },
    ]
    const after = change(apple, { phones })
    expect(toContact(read(after)).phones).toEqual(phones)
    expect(after).toContain("item5.TEL:+49 30 555\r\nitem5.X-ABLABEL:Beach hut №1\r\n")
    expect(after).not.toContain("Assistant")
  })

  it("leaves an address unchanged when the same parts are given again", () => {
    const { addresses } = toContact(read(apple))
    expect(withoutRev(change(apple, { addresses }))).toEqual(withoutRev(apple))
  })

  it("never removes the displayed name, and writes no empty address", () => {
    const plain = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:Zoë Müller\r\nN:Müller;Zoë;;;\r\nEND:VCARD\r\n"
    const after = change(plain, { first_name: "", last_name: "", addresses: [{ street: "", type: "home" }] })
    expect(withoutRev(after).slice(3, -2)).toEqual(["FN:Zoë Müller", "N:;;;;"])
  })

  it("removes fields that are given empty", () => {
    const after = toContact(
      read(
        change(apple, { note: "", birthday: "", emails: [], phones: [], categories: [], organization: "", urls: [] }),
      ),
    )
    expect(after).toMatchObject({ emails: [], phones: [], categories: [], urls: [], name: "Dr. Zoë Müller" })
    expect(after).not.toHaveProperty("note")
    expect(after).not.toHaveProperty("birthday")
    expect(after.department, "only the organization was emptied").toBe("R&D")
  })

  it("writes texts that read back unchanged, in both versions", () => {
    for (const version of ["3.0", "4.0"]) {
      const empty = `BEGIN:VCARD\r\nVERSION:${version}\r\nUID:a\r\nFN:A\r\nEND:VCARD\r\n`
      const changes = {
        note: 'a,b;c\\d\ne “quoted” "x": 🦊 '.repeat(20).trim(),
        nickname: "Zo",
        organization: "A;B, C",
        department: "Ä",
        job_title: "Head, of; all",
        birthday: "1990-04-01",
        emails: [{ address: "a@example.org", type: "work" }],
        phones: [{ number: "+49 (170) 12;3,4", type: "cell" }],
        addresses: [{ street: "a;b, c", city: "Köln", country: "DE", type: "home" }],
        urls: ["https://example.org/?a=1&b=2;c"],
        categories: ["a,b", "c;d"],
      }
      expect(toContact(read(change(empty, changes))), version).toMatchObject(changes)
      expect(toContact(read(change(empty, { birthday: "--12-24" }))).birthday, version).toBe("--12-24")
    }
  })

  it("writes no additional lines for line breaks in a text", () => {
    const note = "x\r\nEND:VCARD\r\nBEGIN:VCARD\r\nUID:evil"
    const emails = [{ address: "a@example.org\r\nUID:evil", type: "Odd\r\nUID:evil" }]
    const phones = [{ number: "1\r\nUID:evil" }]
    const urls = ["https://example.org/\r\nUID:evil"]
    const card = newCard(
      ical,
      "a",
      { name: "A\nUID:evil", note, emails, phones, urls, categories: ["\nUID:evil"] },
      stamp,
    )
    const lines = writeCard(card)
      .replace(/\r\n /g, "")
      .split(/[\r\n]+/)
    expect(lines.filter((line) => /^(UID|BEGIN|END):/.test(line))).toEqual(["BEGIN:VCARD", "UID:a", "END:VCARD"])
  })
})

describe("a new card", () => {
  it("has the name in both forms, and every given field", () => {
    const changes = {
      name: "Zoë Müller",
      emails: [{ address: "zoe@example.org", type: "home" }],
      phones: [{ number: "+49 170 1234567", type: "cell" }],
      organization: "ACME",
      note: "Hi",
    }
    expect(writeCard(newCard(ical, "u-1", changes, stamp)).split("\r\n")).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      "PRODID:-//Holdpoint//Nextcloud//EN",
      "UID:u-1",
      "N:Müller;Zoë;;;",
      "FN:Zoë Müller",
      "ORG:ACME",
      "NOTE:Hi",
      "EMAIL;TYPE=HOME:zoe@example.org",
      "TEL;TYPE=CELL:+49 170 1234567",
      "REV:20261115T080000Z",
      "END:VCARD",
      "",
    ])
  })
})
