// The stand-in's calendars store objects, find them by time and text, expand series, and compute busy times.

import { describe, expect, it } from "vitest"
import { seedCalendar } from "../src/calendar/seed.ts"
import { calendarsOf } from "../src/calendar/store.ts"
import { check } from "../src/calendar/text.ts"
import { createStandIn } from "../src/server.ts"
import { caldav, childOf, childrenOf, parseXml } from "../src/xml.ts"
import { createDavClient, namesOf } from "./dav.ts"

const object = (...lines: readonly string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...lines, "END:VCALENDAR", ""].join("\r\n")

const event = (uid: string, ...lines: readonly string[]): string =>
  object("BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20261101T000000Z", ...lines, "END:VEVENT")

const query = (filter: string, data = "<c:calendar-data/>"): string =>
  `<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/>${data}</d:prop><c:filter><c:comp-filter name="VCALENDAR">${filter}</c:comp-filter></c:filter></c:calendar-query>`

const between = (start: string, end: string): string =>
  `<c:comp-filter name="VEVENT"><c:time-range start="${start}" end="${end}"/></c:comp-filter>`

const home = "calendars/alice/"
const personal = `${home}personal/`

describe("objects in a calendar", () => {
  it("are returned byte for byte, with the etag of the PUT", async () => {
    const { ask } = createDavClient()
    const text = event("a", "DTSTART:20261120T090000Z", "SUMMARY:Bespräch 🦊", "X-UNKNOWN;X-P=1:kept")
    const response = await ask("PUT", `${personal}a.ics`, { body: text, headers: { "if-none-match": "*" } })
    const got = await ask("GET", `${personal}a.ics`)
    expect([response.status, got.headers.get("etag"), await got.text()]).toEqual([
      201,
      response.headers.get("etag"),
      text,
    ])
  })

  it("are not overwritten with a stale etag", async () => {
    const { ask, world } = createDavClient()
    const old = calendarsOf(world).put("alice", "personal", "a.ics", event("a", "DTSTART:20261120T090000Z"))
    calendarsOf(world).put("alice", "personal", "a.ics", event("a", "DTSTART:20261120T100000Z"))
    const headers = { "if-match": `"${old.etag}"` }
    const stale = await ask("PUT", `${personal}a.ics`, { body: event("a", "DTSTART:20261120T110000Z"), headers })
    expect([stale.status, (await ask("DELETE", `${personal}a.ics`, { headers })).status]).toEqual([412, 412])
    const missing = await ask("PUT", `${personal}none.ics`, { body: event("n", "DTSTART:20261120T110000Z"), headers })
    expect(missing.status).toBe(412)
  })

  it("are moved only with the current etag, into any existing calendar", async () => {
    const { ask, world } = createDavClient()
    calendarsOf(world).add("alice", "list", { components: ["VTODO"] })
    calendarsOf(world).put("alice", "personal", "a.ics", event("a", "DTSTART:20261120T090000Z"))
    const move = async (uri: string, headers: object = {}) => {
      const destination = `http://localhost/remote.php/dav/${home}${uri}/a.ics`
      return (await ask("MOVE", `${personal}a.ics`, { headers: { destination, ...headers } })).status
    }
    expect(await move("list", { "if-match": '"older"' })).toBe(412)
    expect(await move("nowhere")).toBe(409)
    expect(await move("contact_birthdays")).toBe(403)
    expect(await move("list")).toBe(201)
  })

  it("can be moved to another calendar, whatever the host in the destination", async () => {
    const { ask, world } = createDavClient()
    calendarsOf(world).add("alice", "other")
    calendarsOf(world).put("alice", "personal", "a.ics", event("a", "DTSTART:20261120T090000Z"))
    const destination = "http://elsewhere.example/remote.php/dav/calendars/alice/other/b.ics"
    expect((await ask("MOVE", `${personal}a.ics`, { headers: { destination } })).status).toBe(201)
    expect(calendarsOf(world).get("alice", "other", "b.ics")?.uid).toBe("a")
  })
})

describe("a query by time", () => {
  it.each([
    "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
    "FREQ=DAILY;BYDAY=1MO",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31;BYDAY=MO",
  ])("ends for a rule that never matches: %s", async (rule) => {
    const { find, world } = createDavClient()
    calendarsOf(world).put("alice", "personal", "a.ics", event("a", "DTSTART:20261120T090000Z", `RRULE:${rule}`))
    const body = query(between("20261120T000000Z", "20261121T000000Z"))
    expect(namesOf(await find("REPORT", personal, { body }))).toContain("a.ics")
  })

  it("finds the occurrences of a series in its own time zone, across the change to winter time", async () => {
    const { find, world } = createDavClient()
    const lines = [
      "DTSTART;TZID=Europe/Berlin:20261019T093000",
      "DTEND;TZID=Europe/Berlin:20261019T100000",
      "RRULE:FREQ=WEEKLY",
    ]
    calendarsOf(world).put("alice", "personal", "weekly.ics", event("weekly", ...lines))
    const at = (start: string, end: string) => find("REPORT", personal, { body: query(between(start, end)) })
    // On 25 October the clocks go back: 09:30 is 07:30 UTC before and 08:30 UTC after.
    expect(await at("20261019T073000Z", "20261019T073100Z")).toHaveLength(1)
    expect(await at("20261026T073000Z", "20261026T082900Z")).toHaveLength(0)
    expect(await at("20261026T083000Z", "20261026T083100Z")).toHaveLength(1)
  })

  it("finds a series by its exceptions and not by excluded dates, and does not expand it", async () => {
    const { ask, find, world } = createDavClient()
    const series = object(
      "BEGIN:VEVENT",
      "UID:s",
      "DTSTART:20261102T080000Z",
      "DTEND:20261102T081500Z",
      "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6",
      "EXDATE:20261109T080000Z",
      "SUMMARY:Standup",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "UID:s",
      "RECURRENCE-ID:20261104T080000Z",
      "DTSTART:20261105T120000Z",
      "DTEND:20261105T123000Z",
      "SUMMARY:Moved",
      "END:VEVENT",
    )
    calendarsOf(world).put("alice", "personal", "s.ics", series)
    const on = async (day: string) => {
      const body = query(between(`${day}T000000Z`, `${day}T235959Z`))
      return (await find("REPORT", personal, { body })).length
    }
    const days = ["20261102", "20261104", "20261105", "20261109", "20261111"]
    expect(await Promise.all(days.map(on))).toEqual([1, 0, 1, 0, 1])
    const data = `<c:calendar-data><c:expand start="20261101T000000Z" end="20261115T000000Z"/></c:calendar-data>`
    const body = query(between("20261101T000000Z", "20261115T000000Z"), data)
    expect((await ask("REPORT", personal, { body, headers: { depth: "1" } })).status).toBe(501)
  })

  it("counts a date without an end as one whole day", async () => {
    const { find, world } = createDavClient()
    calendarsOf(world).put("alice", "personal", "d.ics", event("d", "DTSTART;VALUE=DATE:20261224"))
    const at = (start: string, end: string) => find("REPORT", personal, { body: query(between(start, end)) })
    expect(await at("20261224T220000Z", "20261224T230000Z")).toHaveLength(1)
    expect(await at("20261225T000000Z", "20261226T000000Z")).toHaveLength(0)
  })

  it("finds tasks by due date, by missing properties and by text", async () => {
    const { find, world } = createDavClient()
    seedCalendar(world)
    const tasks = async (inner: string) =>
      namesOf(
        await find("REPORT", `${home}tasks/`, { body: query(`<c:comp-filter name="VTODO">${inner}</c:comp-filter>`) }),
      )
    expect(await tasks("")).toEqual(["taxes.ics", "shopping.ics", "apples.ics", "passport.ics"])
    const open = '<c:prop-filter name="COMPLETED"><c:is-not-defined/></c:prop-filter>'
    expect(await tasks(open)).toEqual(["taxes.ics", "shopping.ics", "apples.ics"])
    const text = '<c:prop-filter name="SUMMARY"><c:text-match>EINKAUF</c:text-match></c:prop-filter>'
    expect(await tasks(text)).toEqual(["shopping.ics"])
    expect(await tasks('<c:time-range start="20261116T000000Z" end="20261117T000000Z"/>')).toContain("shopping.ics")
    expect(await tasks('<c:time-range start="20261116T000000Z" end="20261117T000000Z"/>')).not.toContain("taxes.ics")
  })
})

describe("calendars", () => {
  it("shared read-only have another name and cannot be written to", async () => {
    const { ask, find, world } = createDavClient()
    seedCalendar(world)
    const resources = await find("PROPFIND", home)
    const shared = resources.find(({ href }) => href.endsWith("/team_shared_by_bob/"))
    expect(shared?.properties.displayname?.text).toBe("Team (Bob Example)")
    expect(shared?.properties["read-only"]?.text).toBe("1")
    const response = await ask("PUT", `${home}team_shared_by_bob/x.ics`, {
      body: event("x", "DTSTART:20261120T090000Z"),
    })
    expect([response.status, (await ask("GET", `${home}team_shared_by_bob/retro.ics`)).status]).toEqual([404, 200])
  })

  it("shared for writing accept what the recipient writes", async () => {
    const { ask, world } = createDavClient()
    calendarsOf(world).share("alice", "personal", "bob", true)
    const path = "calendars/bob/personal_shared_by_alice/x.ics"
    const response = await ask("PUT", path, { user: "bob", body: event("x", "DTSTART:20261120T090000Z") })
    expect([response.status, calendarsOf(world).get("alice", "personal", "x.ics")?.uid]).toEqual([201, "x"])
  })

  it("that are deleted stay listed as deleted until they are deleted again", async () => {
    const { ask, find, world } = createDavClient()
    seedCalendar(world)
    await ask("DELETE", `${home}tasks/`)
    const deleted = (await find("PROPFIND", home)).find(({ href }) => href.endsWith("/tasks/"))
    expect(deleted?.properties.resourcetype?.children.map(({ name }) => name)).toEqual([
      "collection",
      "deleted-calendar",
    ])
    await ask("DELETE", `${home}tasks/`)
    expect(namesOf(await find("PROPFIND", home))).not.toContain("tasks")
  })

  it("keep properties that are set, and refuse a change of their etag", async () => {
    const { ask, find } = createDavClient()
    const patch = (inner: string) =>
      `<d:propertyupdate xmlns:d="DAV:" xmlns:i="http://apple.com/ns/ical/"><d:set><d:prop>${inner}</d:prop></d:set></d:propertyupdate>`
    await ask("PROPPATCH", personal, { body: patch("<d:displayname>A &amp; B ✓</d:displayname>") })
    const refused = await ask("PROPPATCH", personal, {
      body: patch("<d:displayname>No</d:displayname><d:getetag>x</d:getetag>"),
    })
    expect(await refused.text()).toContain("403 Forbidden")
    expect((await find("PROPFIND", personal))[0]?.properties.displayname?.text).toBe("A & B ✓")
  })

  it("have addresses with the path of a server in a subfolder", async () => {
    const standIn = createStandIn({ path: "/cloud" })
    const headers = { authorization: `Basic ${btoa("alice:alice-Pass-2026")}`, depth: "0" }
    const request = new Request(`http://localhost/cloud/remote.php/dav/${personal}`, { method: "PROPFIND", headers })
    expect(await (await standIn.fetch(request)).text()).toContain(
      "<d:href>/cloud/remote.php/dav/calendars/alice/personal/<",
    )
  })

  it("belong to a person whose id differs from the login name", async () => {
    const { ask } = createDavClient()
    const body = `<d:propfind xmlns:d="DAV:"><d:prop><d:current-user-principal/></d:prop></d:propfind>`
    const root = await (await ask("PROPFIND", "", { user: "dora", body, headers: { depth: "0" } })).text()
    expect(root).toContain("/remote.php/dav/principals/users/ldap-7f3a/")
    expect((await ask("PROPFIND", "calendars/ldap-7f3a/", { user: "dora" })).status).toBe(207)
    expect((await ask("PROPFIND", "calendars/dora/personal/", { user: "dora" })).status).toBe(404)
  })
})

describe("invitations", () => {
  const meeting = event(
    "m",
    "DTSTART:20261121T090000Z",
    "DTEND:20261121T100000Z",
    "ORGANIZER:mailto:alice@example.org",
    "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.org",
  )

  it("reach the other person's calendar, and the answer comes back", async () => {
    const { ask, world } = createDavClient()
    const response = await ask("PUT", `${personal}m.ics`, { body: meeting })
    expect([response.status, response.headers.get("etag")]).toEqual([201, null])
    const copy = [...(calendarsOf(world).find("bob", "personal")?.calendar.items.values() ?? [])][0]
    const accepted = copy?.text.replace("PARTSTAT=NEEDS-ACTION", "PARTSTAT=ACCEPTED") ?? ""
    await ask("PUT", `calendars/bob/personal/${copy?.name}`, { user: "bob", body: accepted })
    expect(calendarsOf(world).get("alice", "personal", "m.ics")?.text).toContain("PARTSTAT=ACCEPTED")
    await ask("DELETE", `${personal}m.ics`)
    expect(calendarsOf(world).get("bob", "personal", copy?.name ?? "")?.text).toContain("STATUS:CANCELLED")
  })

  it("can be planned: busy times of others are returned, and strangers are unknown", async () => {
    const { ask, world } = createDavClient()
    const calendars = calendarsOf(world)
    calendars.put("bob", "personal", "busy.ics", event("b", "DTSTART:20261120T090000Z", "DTEND:20261120T100000Z"))
    const free = ["DTSTART:20261120T110000Z", "DTEND:20261120T120000Z", "TRANSP:TRANSPARENT"]
    calendars.put("bob", "personal", "free.ics", event("f", ...free))
    const body = object(
      "METHOD:REQUEST",
      "BEGIN:VFREEBUSY",
      "UID:q",
      "DTSTAMP:20261101T000000Z",
      "DTSTART:20261120T093000Z",
      "DTEND:20261121T000000Z",
      "ORGANIZER:mailto:alice@example.org",
      "ATTENDEE:mailto:bob@example.org",
      "ATTENDEE:mailto:unknown@example.org",
      "END:VFREEBUSY",
    )
    const reply = await ask("POST", `${home}outbox/`, { body, headers: { "content-type": "text/calendar" } })
    const answers = childrenOf(parseXml(await reply.text()), caldav, "response")
    expect(answers.map((one) => childOf(one, caldav, "request-status")?.text)).toEqual([
      "2.0;Success",
      "3.7;Could not find principal",
    ])
    const data = childOf(answers[0], caldav, "calendar-data")?.text ?? ""
    expect(data.match(/FREEBUSY.*:\d\S+/g)).toEqual(["FREEBUSY:20261120T093000Z/20261120T100000Z"])
  })
})

describe("the outbox", () => {
  const question = (...lines: readonly string[]) =>
    object("METHOD:REQUEST", "BEGIN:VFREEBUSY", ...lines, "END:VFREEBUSY")
  const times = ["DTSTART:20261120T093000Z", "DTEND:20261121T000000Z"]
  const from = (organizer: string) => [`ORGANIZER:${organizer}`, "ATTENDEE:mailto:bob@example.org", ...times]

  it.each([
    [403, question(...from("mailto:bob@example.org"))],
    [403, question(...from("mailto:Alice@example.org"))],
    [200, question(...from("mailto:alice@example.org"))],
    [200, question(...from("/remote.php/dav/principals/users/alice/"))],
    [400, question("ORGANIZER:mailto:alice@example.org", ...times)],
    [400, question(...from("mailto:alice@example.org").slice(0, 2))],
    [400, question(...from("mailto:alice@example.org")).replace("METHOD:REQUEST\r\n", "")],
    [400, "something else"],
  ])("answers %i to %j", async (status, body) => {
    const { ask } = createDavClient()
    const headers = { "content-type": "text/calendar; charset=utf-8" }
    const reply = await ask("POST", `${home}outbox/`, { body, headers })
    expect(reply.status).toBe(status)
    expect((await ask("POST", `${home}outbox/`, { body })).status).toBe(501)
  })
})

describe("the initial content", () => {
  it("is accepted by the calendars that it is in, on any day", () => {
    for (const day of [0, 1, 2, 3, 4, 5, 6, 200]) {
      const client = createDavClient()
      client.clock += day * 86_400_000
      seedCalendar(client.world)
      const all = ["alice", "bob"].flatMap((user) => calendarsOf(client.world).list(user))
      const refused = all.flatMap(({ calendar: { items, components } }) =>
        [...items.values()].filter(({ text }) => "refused" in check(text, components)),
      )
      expect(refused).toEqual([])
      expect(all.reduce((sum, { calendar }) => sum + calendar.items.size, 0)).toBeGreaterThan(15)
    }
  })

  it("has a series at half past nine in Berlin", async () => {
    const { find, world } = createDavClient()
    seedCalendar(world)
    const at = async (start: string, end: string) =>
      namesOf(await find("REPORT", `${home}work/`, { body: query(between(start, end)) }))
    expect(await at("20261116T083000Z", "20261116T083100Z")).toContain("standup.ics")
    expect(await at("20261117T083000Z", "20261117T083100Z")).not.toContain("standup.ics")
    expect(await at("20261116T000000Z", "20261123T000000Z")).toContain("planning.ics")
  })
})
