// Changing events in their files, with only the ical layer: everything that a change does not mention stays.

import { describe, expect, it } from "vitest"
import { setAnswer } from "../../src/ical/attendees.ts"
import type { Changes } from "../../src/ical/change.ts"
import { readDocument, seriesIn } from "../../src/ical/document.ts"
import { toDetails } from "../../src/ical/event.ts"
import type { OccurrenceSelection } from "../../src/ical/series.ts"
import { changeEvent, newEvent, targetOf } from "../../src/ical/series.ts"
import { endBefore, excludeOccurrence, isOver } from "../../src/ical/split.ts"
import { changeTask, completeTask, newTask, toTask } from "../../src/ical/task.ts"
import { calendarOf, eventOf, seriesOf, startsOf } from "./files.ts"

const making = { now: Date.UTC(2026, 10, 15, 12), activity: "testing", newUid: "new@test" }

const change = (text: string, changes: Changes, which: OccurrenceSelection = {}) =>
  changeEvent(seriesOf(text), which, changes, making)

const linesOf = (text: string): readonly string[] => text.replace(/\r\n[ \t]/g, "").split("\r\n")

const strange = [
  'X-FOO;X-P="a:b;c";Y=^nz:some\\, raw\\; \\\\ text\\nline',
  'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="A B":geo:1,2',
  "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://example.org/y",
  "x-lower-case:kept",
  'ATTENDEE;CN="Doe, John";X-NUM-GUESTS=0;PARTSTAT=ACCEPTED:mailto:john@example.org',
  "GEO:1.50;2.50",
  "REQUEST-STATUS:2.0;Success",
  "NEWPROP:abc\\,d",
  "ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA",
  `COMMENT;LANGUAGE=de:${"Ärger mit 🦊 ".repeat(12)}`,
]

const sound = ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;RELATED=END:PT5M", "X-WR-ALARMUID:u", "END:VALARM"]
const displayAlarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:x", "END:VALARM"]

const outlook = [
  "BEGIN:VTIMEZONE",
  "TZID:W. Europe Standard Time",
  "BEGIN:STANDARD",
  "DTSTART:16010101T030000",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10",
  "END:STANDARD",
  "END:VTIMEZONE",
]

describe("an event that is changed", () => {
  const times = [
    "DTSTART;TZID=W. Europe Standard Time:20261120T090000",
    "DTEND;TZID=W. Europe Standard Time:20261120T100000",
  ]
  const text = calendarOf(
    "X-WR-CALNAME:Foo",
    ...outlook,
    eventOf(...times, ...strange, ...sound, ...displayAlarm, "SEQUENCE:4"),
  )

  it("keeps every unrelated line as it was written", () => {
    const lines = linesOf(change(text, { title: "New" }).text)
    for (const line of [...times, ...strange, ...sound, ...displayAlarm, ...outlook]) expect(lines).toContain(line)
    const gone = linesOf(text).filter((line) => !lines.includes(line))
    expect(gone).toEqual(["DTSTAMP:20261101T000000Z", "SUMMARY:Talk", "SEQUENCE:4"])
    expect(lines).toContain("SEQUENCE:5")
    expect(lines).toContain("LAST-MODIFIED:20261115T120000Z")
  })

  it.each([
    "RRULE:freq=weekly;byday=fr;count=3",
    "X-FOO;BAR:baz",
    'ATTENDEE;X-FLAG;CN="A;B:C":mailto:a@example.org',
    "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:20261120T080000Z\r\nDESCRIPTION:x\r\nEND:VALARM",
    "BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:\r\nDESCRIPTION:x\r\nEND:VALARM",
  ])("is readable, and keeps unusual lines of other programs: %s", (lines) => {
    const written = calendarOf(eventOf("DTSTART:20261120T090000Z", lines))
    expect(toDetails(onlyEvent(written), undefined)).toBeDefined()
    const next = change(written, { title: "New" }, { occurrence: "all" }).text
    expect(linesOf(next)).toEqual(expect.arrayContaining(lines.split("\r\n")))
    expect(startsOf(next, "2026-11-01", "2026-12-31")).toHaveLength(lines.startsWith("RRULE") ? 3 : 1)
  })

  it("keeps a duration in days, which a clock change cannot shorten", () => {
    const days = calendarOf(
      eventOf("DTSTART;TZID=Europe/Berlin:20261023T200000", "DURATION:P1D", "RRULE:FREQ=DAILY;COUNT=4"),
    )
    const recurrence_id = "2026-10-24T20:00:00+02:00"
    for (const occurrence of ["this", "following"] as const) {
      const { text: next, newSeries } = change(days, { title: "New" }, { recurrence_id, occurrence })
      const own = linesOf(newSeries?.text ?? next)
      expect(own.filter((line) => line === "DURATION:P1D")).toHaveLength(occurrence === "this" ? 2 : 1)
      expect(own.filter((line) => line.startsWith("DTEND"))).toEqual([])
    }
    const moved = linesOf(change(days, { start: "2026-10-24T21:00" }, { occurrence: "all" }).text)
    expect(moved).toContain("DURATION:P1D")
    expect(linesOf(change(days, { duration_minutes: 30 }, { occurrence: "all" }).text)).not.toContain("DURATION:P1D")
  })

  it("folds long lines at 75 octets, never within a character", () => {
    const written = change(text, { description: "🦊".repeat(100) }).text
    for (const line of written.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(written).not.toContain("\ufffd")
    expect(toDetails(onlyEvent(written), undefined).description).toBe("🦊".repeat(100))
  })

  it("keeps its zone and length when only the start moves, given in local time or with an offset", () => {
    for (const start of ["2026-11-21T14:00", "2026-11-21T08:00-05:00"]) {
      const lines = linesOf(change(text, { start }).text)
      expect(lines).toContain("DTSTART;TZID=W. Europe Standard Time:20261121T140000")
      expect(lines).toContain("DTEND;TZID=W. Europe Standard Time:20261121T150000")
    }
  })

  it("keeps its local time in a new zone, and includes the zone's definition", () => {
    const lines = linesOf(change(text, { timezone: "America/New_York" }).text)
    expect(lines).toContain("DTSTART;TZID=America/New_York:20261120T090000")
    expect(lines.indexOf("TZID:America/New_York")).toBeLessThan(lines.indexOf("BEGIN:VEVENT"))
    expect(lines.indexOf("TZID:America/New_York")).toBeGreaterThan(0)
  })

  it("becomes an all-day event whose last day is the given one", () => {
    const lines = linesOf(change(text, { start: "2026-12-24", end: "2026-12-26" }).text)
    expect(lines).toContain("DTSTART;VALUE=DATE:20261224")
    expect(lines).toContain("DTEND;VALUE=DATE:20261227")
  })

  it("gets new reminders, and keeps its audio reminder", () => {
    const lines = linesOf(change(text, { alarms: [{ minutes_before: 30, kind: "email" }] }).text)
    expect(lines).toContain("TRIGGER:-PT30M")
    expect(lines).not.toContain("TRIGGER:-PT15M")
    for (const line of sound) expect(lines).toContain(line)
  })

  it("keeps the answers of attendees who stay invited", () => {
    const attendees = [{ email: "JOHN@example.org" }, { email: "eve@example.org", role: "optional" as const }]
    const changed = changeEvent(
      seriesOf(text),
      {},
      { attendees },
      { ...making, organizer: { email: "alice@example.org" } },
    )
    const lines = linesOf(changed.text)
    expect(lines).toContain(strange[4])
    expect(lines.find((line) => line.includes("eve@"))).toMatch(/PARTSTAT=NEEDS-ACTION.*ROLE=OPT-PARTICIPANT/)
    expect(lines).toContain("ORGANIZER:mailto:alice@example.org")
  })

  it("loses the properties that are set to an empty value", () => {
    const full = change(text, { location: "Room", categories: ["a", "b,c"] }).text
    expect(linesOf(full)).toContain("CATEGORIES:a,b\\,c")
    const bare = linesOf(change(full, { location: "", categories: [] }).text)
    expect(bare.some((line) => /^(LOCATION|CATEGORIES)/.test(line))).toBe(false)
  })

  it.each([
    [{ end: "2026-11-20T08:00" }, /end before it starts/],
    [{ end: "2026-11-20" }, /`end` is a day/],
    [{ end: "2026-11-20T12:00", duration_minutes: 5 }, /only one of/],
    [{ recurrence: "FREQ=DAILY;UNTIL=soon" }, /not a date or time/],
  ])("refuses the change %o", (changes, message) => {
    expect(() => change(text, changes)).toThrow(message)
  })
})

const onlyEvent = (text: string) => {
  const master = seriesOf(text).master
  if (master === undefined) throw new Error("There is no event.")
  return master
}

describe("a series that is changed", () => {
  const rule = ["DTSTART;TZID=Europe/Berlin:20261019T090000", "DTEND;TZID=Europe/Berlin:20261019T100000"]
  const repeat = ["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6", "EXDATE;TZID=Europe/Berlin:20261102T090000"]
  const moved = eventOf("RECURRENCE-ID;TZID=Europe/Berlin:20261109T090000", "DTSTART:20261110T120000Z", "DURATION:PT1H")
  const text = calendarOf(eventOf(...rule, ...repeat, "X-KEPT:yes", ...displayAlarm), moved)
  const all = (changed: string) => startsOf(changed, "2026-10-01", "2027-06-01")

  it("needs the recurrence_id of an existing occurrence", () => {
    expect(() => change(text, { title: "x" })).toThrow(/recurrence_id/)
    const gone = { recurrence_id: "2026-11-02T09:00:00+01:00" }
    expect(() => change(text, { title: "x" }, gone)).toThrow(/no occurrence/)
  })

  it("gets a changed occurrence with everything of the series except its rule", () => {
    const which = { recurrence_id: "2026-10-26T09:00:00+01:00" }
    const changed = change(text, { start: "2026-10-26T11:00", title: "Later" }, which).text
    expect(all(changed)).toEqual(all(text).map((start) => start.replace("10-26T09", "10-26T11")))
    const own = changed.split("BEGIN:VEVENT").at(-1) ?? ""
    expect(linesOf(own)).toEqual(expect.arrayContaining(["X-KEPT:yes", "TRIGGER:-PT15M", "SUMMARY:Later"]))
    expect(linesOf(own)).toContain("RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000")
    expect(own).not.toMatch(/RRULE|EXDATE/)
    expect(linesOf(changed)).toContain("SUMMARY:Talk")
  })

  it("changes an already changed occurrence in place", () => {
    const which = { recurrence_id: "2026-11-09T09:00:00+01:00" }
    const changed = change(text, { title: "Again" }, which).text
    expect(changed.match(/RECURRENCE-ID/g)).toHaveLength(1)
    expect(all(changed)).toEqual(all(text))
  })

  it("moves as a whole by the shift of one occurrence, exceptions included", () => {
    const which = { recurrence_id: "2026-11-16T09:00:00+01:00", occurrence: "all" as const }
    const changed = change(text, { start: "2026-11-17T10:30" }, which).text
    expect(all(changed)).toEqual([
      "2026-10-20T10:30:00+02:00",
      "2026-10-27T10:30:00+01:00",
      "2026-11-10T12:00:00Z",
      "2026-11-17T10:30:00+01:00",
      "2026-11-24T10:30:00+01:00",
    ])
    expect(changed).toContain("BYDAY=TU")
  })

  it.each([
    ["FREQ=WEEKLY;UNTIL=20261109T080000Z", { start: "2026-10-19T18:00" }, "UNTIL=20261109T170000Z"],
    ["FREQ=WEEKLY;UNTIL=20261109T080000Z", { timezone: "America/New_York" }, "UNTIL=20261109T140000Z"],
    ["FREQ=WEEKLY;UNTIL=20261109T080000Z", { start: "2026-10-20", all_day: true }, "UNTIL=20261110"],
    ["FREQ=WEEKLY;UNTIL=20261109", { start: "2026-10-20T18:00" }, "UNTIL=20261110T225959Z"],
  ])("keeps the last occurrence of %s when all are moved by %o", (ruled, changes, until) => {
    const ending = calendarOf(eventOf(...rule, `RRULE:${ruled}`))
    const changed = change(ending, changes, { occurrence: "all" }).text
    expect(linesOf(changed)).toContain(`RRULE:FREQ=WEEKLY;${until}`)
    expect(all(changed)).toHaveLength(all(ending).length)
  })

  it("asks for a new rule when the old rule cannot be moved to another day", () => {
    const two = text.replace("BYDAY=MO;COUNT=6", "BYDAY=MO,WE")
    const which = { recurrence_id: "2026-11-16T09:00:00+01:00", occurrence: "all" as const }
    expect(() => change(two, { start: "2026-11-17T09:00" }, which)).toThrow(/Give `recurrence` too/)
  })

  it("keeps an occurrence's own title when all are renamed", () => {
    const own = change(text, { title: "Own" }, { recurrence_id: "2026-11-09T09:00:00+01:00" }).text
    const renamed = linesOf(change(own, { title: "All", location: "Hall" }, { occurrence: "all" }).text)
    expect(renamed.filter((line) => line.startsWith("SUMMARY"))).toEqual(["SUMMARY:All", "SUMMARY:Own"])
    expect(renamed.filter((line) => line === "LOCATION:Hall")).toHaveLength(2)
  })

  it("is split into two without losing occurrences or properties", () => {
    const which = { recurrence_id: "2026-11-09T09:00:00+01:00", occurrence: "following" as const }
    const { text: before, newSeries } = change(text, { title: "New time", start: "2026-11-09T15:00" }, which)
    expect(all(before)).toEqual(["2026-10-19T09:00:00+02:00", "2026-10-26T09:00:00+01:00"])
    const after = newSeries?.text ?? ""
    expect(all(after)).toEqual(["2026-11-10T12:00:00Z", "2026-11-16T15:00:00+01:00", "2026-11-23T15:00:00+01:00"])
    expect(linesOf(after).filter((line) => line.startsWith("UID"))).toEqual(["UID:new@test", "UID:new@test"])
    expect(linesOf(before)).toContain("UID:series@test")
    expect(linesOf(after)).toContain("X-KEPT:yes")
  })

  it("is not split at its first occurrence, which would be the whole series", () => {
    const which = { recurrence_id: "2026-10-19T09:00:00+02:00", occurrence: "following" as const }
    expect(change(text, { title: "x" }, which).newSeries).toBeUndefined()
  })

  it("stops repeating when the recurrence is set to none", () => {
    const changed = change(text, { recurrence: "none" }, { occurrence: "all" }).text
    expect(all(changed)).toEqual(["2026-10-19T09:00:00+02:00"])
    expect(changed.slice(changed.indexOf("BEGIN:VEVENT"))).not.toMatch(/RRULE|EXDATE|RECURRENCE-ID/)
  })

  it("loses one occurrence, or that one and all later ones", () => {
    const one = seriesOf(text)
    const target = targetOf(one, { recurrence_id: "2026-11-09T09:00:00+01:00" }, "testing")
    if (target.reach !== "this") throw new Error("one was meant")
    excludeOccurrence(one, target.id, making.now)
    expect(all(one.document.toString())).toEqual(all(text).filter((start) => !start.startsWith("2026-11-10")))
    const earlier = seriesOf(text)
    endBefore(earlier, target.id, making.now)
    expect(all(earlier.document.toString())).toEqual(all(text).slice(0, 2))
  })

  it("is over when its last occurrence is left out", () => {
    const short = seriesOf(calendarOf(eventOf("DTSTART:20261101T090000Z", "RRULE:FREQ=DAILY;COUNT=1")))
    expect(isOver(short)).toBe(false)
    excludeOccurrence(short, targetId(short, "2026-11-01T09:00:00Z"), making.now)
    expect(isOver(short)).toBe(true)
  })
})

function targetId(series: ReturnType<typeof seriesOf>, recurrence_id: string) {
  const target = targetOf(series, { recurrence_id }, "testing")
  if (target.id === undefined) throw new Error("There is none.")
  return target.id
}

describe("a new event", () => {
  it("is written with its zone's definition and every field", () => {
    const text = newEvent(
      "u@test",
      {
        title: "Besprechung; mit, Komma",
        start: "2026-11-20T10:30",
        duration_minutes: 45,
        timezone: "Europe/Berlin",
        recurrence: "FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231",
        attendees: [{ email: "bob@example.org", name: "Bob" }],
        alarms: [{ minutes_before: 15 }],
        categories: ["Work"],
        status: "tentative",
        privacy: "private",
        busy: false,
        link: "https://example.org/",
        priority: 5,
      },
      { ...making, organizer: { email: "alice@example.org", name: "Alice" } },
    )
    const lines = linesOf(text)
    for (const line of [
      "TZID:Europe/Berlin",
      "DTSTART;TZID=Europe/Berlin:20261120T103000",
      "DTEND;TZID=Europe/Berlin:20261120T111500",
      "SUMMARY:Besprechung\\; mit\\, Komma",
      "RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231T225959Z",
      "ORGANIZER;CN=Alice:mailto:alice@example.org",
      "TRIGGER:-PT15M",
      "STATUS:TENTATIVE",
      "CLASS:PRIVATE",
      "TRANSP:TRANSPARENT",
      "PRIORITY:5",
      "URL:https://example.org/",
    ])
      expect(lines).toContain(line)
  })

  it("contains no lines injected through a text, an address or a name", () => {
    const evil = "x\r\nX-EVIL:1\nX-EVIL:2"
    const texts = { title: evil, description: evil, location: evil, link: `https://e/${evil}`, categories: [evil] }
    const invited = { attendees: [{ email: "bob@example.org", name: evil }] }
    const text = newEvent("u", { start: "2026-11-20", color: evil, ...texts, ...invited }, making)
    expect(linesOf(text).filter((line) => line.startsWith("X-EVIL"))).toEqual([])
    expect(toDetails(onlyEvent(text), undefined).description).toBe("x\nX-EVIL:1\nX-EVIL:2")
    const wrong = { attendees: [{ email: evil }] }
    expect(() => newEvent("u", { start: "2026-11-20", ...wrong }, making)).toThrow(/not an e-mail address/)
  })

  it("does not repeat when the recurrence is none", () => {
    expect(newEvent("u", { start: "2026-11-20", recurrence: "none" }, making)).not.toContain("RRULE")
  })

  it("needs a zone when it repeats and its start has only an offset", () => {
    const changes = { title: "x", start: "2026-11-20T10:30+01:00", recurrence: "weekly" }
    expect(() => newEvent("u", changes, making)).toThrow(/summer time/)
  })
})

it("an invitation is answered only for the invited person", () => {
  const guests = ["ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:Bob@example.org", "ATTENDEE:mailto:eve@example.org"]
  const series = seriesOf(calendarOf(eventOf("DTSTART:20261101T090000Z", ...guests)))
  const master = onlyEvent(series.document.toString())
  expect(setAnswer(master, ["mailto:bob@example.org"], "accepted")).toBe(true)
  expect(setAnswer(master, ["mailto:carol@example.org"], "accepted")).toBe(false)
  expect(master.getAllProperties("attendee").map((one) => one.toICALString())).toEqual([
    "ATTENDEE;PARTSTAT=ACCEPTED:mailto:Bob@example.org",
    "ATTENDEE:mailto:eve@example.org",
  ])
})

describe("tasks", () => {
  const taskIn = (text: string) => {
    const document = readDocument(text)
    const task = seriesIn(document, "vtodo")?.master
    if (task === undefined) throw new Error("There is no task.")
    return { document, task, data: () => toTask(task, document) }
  }

  it("can be due on a day, at a time in a zone, or never", () => {
    const day = taskIn(newTask("t", { title: "Buy", due: "2026-11-30" }, making))
    expect(day.data()).toMatchObject({ due: "2026-11-30", status: "open" })
    changeTask(day.document, day.task, { due: "2026-11-30T18:00", timezone: "Europe/Berlin" }, making)
    expect(day.data()).toMatchObject({ due: "2026-11-30T18:00:00+01:00", timezone: "Europe/Berlin" })
    changeTask(day.document, day.task, { due: "2026-12-01T08:00" }, making)
    expect(day.data()).toMatchObject({ due: "2026-12-01T08:00:00+01:00" })
    changeTask(day.document, day.task, { due: "" }, making)
    expect(day.data()).not.toHaveProperty("due")
  })

  it("are completed with a time, and can be reopened", () => {
    const { document, task, data } = taskIn(newTask("t", { title: "Buy", parent: "p@test" }, making))
    expect(completeTask(document, task, making.now)).toBe(false)
    expect(data()).toMatchObject({ status: "done", completed: "2026-11-15T12:00:00Z", percent: 100, parent: "p@test" })
    changeTask(document, task, { status: "open" }, making)
    expect(data()).not.toHaveProperty("completed")
    expect(data()).not.toHaveProperty("percent")
  })

  it("that repeat move to their next occurrence, and are done after the last", () => {
    const changes = { title: "Water", start: "2026-10-23T09:00", due: "2026-10-23T12:00", timezone: "Europe/Berlin" }
    const { document, task, data } = taskIn(newTask("t", { ...changes, recurrence: "FREQ=DAILY;COUNT=3" }, making))
    expect(completeTask(document, task, making.now)).toBe(true)
    expect(completeTask(document, task, making.now)).toBe(true)
    expect(data()).toMatchObject({
      start: "2026-10-25T09:00:00+01:00",
      due: "2026-10-25T12:00:00+01:00",
      status: "open",
    })
    expect(completeTask(document, task, making.now)).toBe(false)
    expect(data().status).toBe("done")
  })
})
