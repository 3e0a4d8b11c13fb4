// Time zones and recurrences, with only the ical layer.

import { describe, expect, it } from "vitest"
import { namedZone, toCalendarTime, toText, zoneArgument } from "../../src/ical/calendar-time.ts"
import { readDocument, vtimezoneOf } from "../../src/ical/document.ts"
import { toShortEvent } from "../../src/ical/event.ts"
import { occurrencesIn } from "../../src/ical/occurrences.ts"
import { toRule } from "../../src/ical/rule.ts"
import { windowsZones } from "../../src/ical/windows-zones.ts"
import { ianaZone, toInstant, toWall, utc, zoneOf } from "../../src/ical/zone.ts"
import { calendarOf, eventOf, seriesOf, startsOf } from "./files.ts"

const berlin = namedZone("Europe/Berlin", "")
const newYork = namedZone("America/New_York", "")

describe("zones", () => {
  it.each([
    ["Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T01:59:59+01:00", "before the gap"],
    ["Europe/Berlin", "2026-03-29T03:00:00", "2026-03-29T03:00:00+02:00", "after the gap"],
    ["Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T02:30:00+02:00", "twice: the first counts"],
    ["Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00", "after it came twice"],
    ["America/New_York", "2026-03-08T01:59:00", "2026-03-08T01:59:00-05:00", "before the gap"],
    ["America/New_York", "2026-03-08T03:00:00", "2026-03-08T03:00:00-04:00", "after the gap"],
    ["America/New_York", "2026-11-01T01:30:00", "2026-11-01T01:30:00-04:00", "twice: the first counts"],
    ["America/New_York", "2026-11-01T02:00:00", "2026-11-01T02:00:00-05:00", "after it came twice"],
    ["Asia/Kolkata", "2026-07-01T12:00", "2026-07-01T12:00:00+05:30", "half hours"],
    ["UTC", "2026-07-01T12:00", "2026-07-01T12:00:00Z", "UTC"],
  ])("reads %s %s as %s (%s)", (zone, clock, expected) => {
    expect(toText(toCalendarTime(clock, namedZone(zone, ""), "testing"))).toBe(expected)
  })

  it("reads a skipped local time with the offset before the gap, as RFC 5545 says", () => {
    const instant = toInstant(Date.UTC(2026, 2, 29, 2, 30), berlin)
    expect(new Date(instant).toISOString()).toBe("2026-03-29T01:30:00.000Z")
  })

  it("converts every instant around the clock changes to local time and back", () => {
    for (const zone of [berlin, newYork])
      for (let instant = Date.UTC(2026, 9, 20); instant < Date.UTC(2026, 10, 5); instant += 1_800_000) {
        const back = toInstant(toWall(instant, zone), zone)
        // In the hour that occurs twice at the end of summer time, the first occurrence counts.
        expect([0, 3_600_000]).toContain(instant - back)
      }
  })

  it("converts a time with an offset to the zone's local time", () => {
    expect(toText(toCalendarTime("2026-07-01T10:00-04:00", berlin, ""))).toBe("2026-07-01T16:00:00+02:00")
    expect(toText(toCalendarTime("2026-07-01T10:00-04:00", undefined, ""))).toBe("2026-07-01T14:00:00Z")
  })

  it("does not guess the zone of a time without one, and says what to do", () => {
    expect(() => toCalendarTime("2026-07-01T10:00", undefined, "testing")).toThrow(/Give `timezone`/)
    expect(() => zoneArgument("Mars/Olympus", "testing")).toThrow(/not a time zone/)
    expect(() => toCalendarTime("2026-02-30", undefined, "testing")).toThrow(/not a date or time/)
  })

  it("maps Outlook's zone names to known zones, without a definition in the file", () => {
    const zone = zoneOf("W. Europe Standard Time", undefined)
    expect([zone.name, zone.tzid]).toEqual(["Europe/Berlin", "W. Europe Standard Time"])
    const unknown = Object.values(windowsZones).filter((name) => ianaZone(name) === undefined)
    expect(unknown).toEqual([])
  })

  it("understands zone names with a vendor's prefix", () => {
    expect(zoneOf("/freeassociation.sourceforge.net/Europe/Berlin", undefined).name).toBe("Europe/Berlin")
  })

  it("writes the definition of an old zone name under that name", () => {
    expect(vtimezoneOf("Asia/Calcutta")).toContain("TZID:Asia/Calcutta\r\n")
    expect(vtimezoneOf("Mars/Olympus")).toBeUndefined()
  })

  it("reads a custom zone from its definition", () => {
    const text = calendarOf(
      ownZone,
      eventOf("DTSTART;TZID=Office:20260701T090000", "DTEND;TZID=Office:20260701T100000"),
    )
    const winter = text.replaceAll("20260701", "20261201")
    expect(startsOf(text, "2026-06-01", "2026-08-01")).toEqual(["2026-07-01T09:00:00+03:30"])
    expect(startsOf(winter, "2026-11-01", "2027-01-01")).toEqual(["2026-12-01T09:00:00+02:30"])
  })

  it("marks an unknown zone as unknown, and shows no offset", () => {
    const series = seriesOf(calendarOf(eventOf("DTSTART;TZID=Nowhere:20260701T090000")))
    const [occurrence] = occurrencesIn(series, { from: 0, to: Date.UTC(2030, 0) }, utc)
    expect(occurrence && toShortEvent(occurrence)).toMatchObject({
      start: "2026-07-01T09:00:00",
      timezone: "Nowhere (unknown here)",
    })
  })
})

const ownZone = [
  "BEGIN:VTIMEZONE",
  "TZID:Office",
  "BEGIN:STANDARD",
  "DTSTART:19701025T030000",
  "TZOFFSETFROM:+0330",
  "TZOFFSETTO:+0230",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "DTSTART:19700329T020000",
  "TZOFFSETFROM:+0230",
  "TZOFFSETTO:+0330",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
].join("\r\n")

describe("recurrences", () => {
  it.each([
    [
      "Europe/Berlin",
      "20261024",
      ["2026-10-24T09:00:00+02:00", "2026-10-25T09:00:00+01:00", "2026-10-26T09:00:00+01:00"],
    ],
    [
      "America/New_York",
      "20261031",
      ["2026-10-31T09:00:00-04:00", "2026-11-01T09:00:00-05:00", "2026-11-02T09:00:00-05:00"],
    ],
  ])("stay at nine o'clock in %s when the clocks change", (zone, day, expected) => {
    const text = calendarOf(eventOf(`DTSTART;TZID=${zone}:${day}T090000`, "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"))
    expect(startsOf(text, "2026-10-01", "2026-12-01")).toEqual(expected)
  })

  it("last as long as the first when the length comes from DTEND, even across a clock change", () => {
    const times = ["DTSTART;TZID=Europe/Berlin:20261023T230000", "DTEND;TZID=Europe/Berlin:20261024T070000"]
    const series = seriesOf(calendarOf(eventOf(...times, "RRULE:FREQ=DAILY;COUNT=2")))
    const occurrences = occurrencesIn(series, { from: 0, to: Date.UTC(2030, 0) }, utc)
    expect(occurrences.map(({ end }) => toText(end))).toEqual([
      "2026-10-24T07:00:00+02:00",
      "2026-10-25T06:00:00+01:00",
    ])
  })

  it("skip EXDATE given in the zone, in UTC or as a day, and apply moved occurrences", () => {
    const rule = ["DTSTART;TZID=Europe/Berlin:20261020T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=7"]
    const out = ["EXDATE;TZID=Europe/Berlin:20261027T090000", "EXDATE:20261103T080000Z", "EXDATE;VALUE=DATE:20261110"]
    const moved = eventOf(
      "RECURRENCE-ID;TZID=Europe/Berlin:20261117T090000",
      "DTSTART:20261118T120000Z",
      "DURATION:PT1H",
    )
    const text = calendarOf(eventOf(...rule, ...out), moved)
    expect(startsOf(text, "2026-10-01", "2027-01-01")).toEqual([
      "2026-10-20T09:00:00+02:00",
      "2026-11-18T12:00:00Z",
      "2026-11-24T09:00:00+01:00",
      "2026-12-01T09:00:00+01:00",
    ])
  })

  it("include an occurrence that was moved into the range, and not one that was moved out", () => {
    const moved = eventOf("RECURRENCE-ID:20261102T090000Z", "DTSTART:20261205T090000Z", "DURATION:PT1H")
    const text = calendarOf(eventOf("DTSTART:20261101T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"), moved)
    expect(startsOf(text, "2026-12-01", "2026-12-31")).toEqual(["2026-12-05T09:00:00Z"])
    expect(startsOf(text, "2026-11-02", "2026-11-03")).toEqual([])
  })

  it("are expanded even when they began long ago and are frequent", () => {
    const text = calendarOf(eventOf("DTSTART;TZID=Europe/Berlin:20100101T003000", "RRULE:FREQ=HOURLY;INTERVAL=7"))
    const slow = new Set<number>()
    for (let wall = Date.UTC(2010, 0, 1, 0, 30); wall < Date.UTC(2027, 0); wall += 7 * 3_600_000) slow.add(wall)
    const starts = startsOf(text, "2026-01-10", "2026-01-12")
    expect(starts).toHaveLength(7)
    for (const start of starts) expect(slow).toContain(Date.parse(`${start.slice(0, 19)}Z`))
  })

  it.each([
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU",
    "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU;WKST=SU",
    "FREQ=DAILY;INTERVAL=5",
    "FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR,1MO",
    "FREQ=MONTHLY;INTERVAL=2",
    "FREQ=MONTHLY;BYMONTHDAY=31,-1",
    "FREQ=YEARLY;INTERVAL=2;BYMONTH=2,3;BYDAY=2TU",
    "FREQ=YEARLY;BYWEEKNO=6;BYDAY=MO",
    "FREQ=YEARLY;INTERVAL=4",
    "FREQ=YEARLY;BYYEARDAY=-320,40",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
  ])("by %s are the same, whether expanded from the beginning or from a later day", (rule) => {
    const text = calendarOf(eventOf("DTSTART:20100204T090000Z", `RRULE:${rule}`))
    const whole = startsOf(text, "2010-01-01", "2026-03-01")
    expect(whole.length).toBeGreaterThan(3)
    for (const from of ["2022-01-15", "2025-12-31", "2026-02-01"])
      expect(startsOf(text, from, "2026-03-01")).toEqual(whole.filter((start) => start >= from))
  })

  it("apply an exception whose RECURRENCE-ID is only a day", () => {
    const moved = eventOf("RECURRENCE-ID;VALUE=DATE:20261102", "DTSTART:20261102T150000Z", "DURATION:PT1H")
    const text = calendarOf(eventOf("DTSTART:20261101T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"), moved)
    expect(startsOf(text, "2026-11-01", "2026-11-05")).toEqual(["2026-11-01T09:00:00Z", "2026-11-02T15:00:00Z"])
  })

  it("end at an UNTIL in UTC, which is converted to the zone of the series", () => {
    const rule = "RRULE:FREQ=DAILY;UNTIL=20261103T080000Z"
    const text = calendarOf(eventOf("DTSTART;TZID=Europe/Berlin:20261101T090000", "DURATION:PT1H", rule))
    expect(startsOf(text, "2026-10-01", "2027-01-01")).toHaveLength(3)
  })

  it("include RDATE, and place days in the reader's zone", () => {
    const text = calendarOf(eventOf("DTSTART;VALUE=DATE:20261224", "RDATE;VALUE=DATE:20261231"))
    expect(startsOf(text, "2026-12-01", "2027-01-01")).toEqual(["2026-12-24", "2026-12-31"])
    const night = { from: Date.UTC(2026, 11, 23, 23), to: Date.UTC(2026, 11, 23, 23, 30) }
    expect(occurrencesIn(seriesOf(text), night, berlin)).toHaveLength(1)
    expect(occurrencesIn(seriesOf(text), night, utc)).toHaveLength(0)
  })

  it("have floating times without an offset", () => {
    const text = calendarOf(eventOf("DTSTART:20261020T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2"))
    expect(startsOf(text, "2026-10-01", "2027-01-01")).toEqual(["2026-10-20T09:00:00", "2026-10-21T09:00:00"])
  })

  it("are only the start when the rule matches no day", () => {
    const text = calendarOf(eventOf("DTSTART:20260101T090000Z", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"))
    expect(startsOf(text, "2026-01-01", "2030-01-01")).toEqual(["2026-01-01T09:00:00Z"])
  })

  it.each([
    ["20240229", "FREQ=YEARLY;COUNT=3", ["2024-02-29", "2028-02-29", "2032-02-29"]],
    ["20260131", "FREQ=MONTHLY;COUNT=4", ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"]],
    ["20260131", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", ["2026-01-31", "2026-02-28", "2026-03-31"]],
    ["20260105", "FREQ=MONTHLY;BYDAY=1MO;COUNT=3", ["2026-01-05", "2026-02-02", "2026-03-02"]],
    ["20260101", "FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1;COUNT=3", ["2026-01-01", "2026-07-01", "2027-01-01"]],
  ])("from %s by %s skip days that do not exist", (day, rule, expected) => {
    const text = calendarOf(eventOf(`DTSTART;VALUE=DATE:${day}`, `RRULE:${rule}`))
    expect(startsOf(text, "2020-01-01", "2050-01-01")).toEqual(expected)
  })

  it("show the last day of an all-day event, not the one after", () => {
    const series = seriesOf(calendarOf(eventOf("DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227")))
    const [occurrence] = occurrencesIn(series, { from: 0, to: Date.UTC(2030, 0) }, utc)
    expect(occurrence && toShortEvent(occurrence)).toMatchObject({
      start: "2026-12-24",
      end: "2026-12-26",
      all_day: true,
    })
  })
})

describe("rules that a model writes", () => {
  const start = toCalendarTime("2026-11-02T09:00", berlin, "")
  it.each([
    ["weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
    ["RRULE:FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"],
    ["FREQ=WEEKLY;UNTIL=20270331", "FREQ=WEEKLY;UNTIL=20270331T215959Z"],
    ["FREQ=WEEKLY;UNTIL=2027-01-31", "FREQ=WEEKLY;UNTIL=20270131T225959Z"],
    ["UNTIL=20270131T080000Z;FREQ=WEEKLY", "FREQ=WEEKLY;UNTIL=20270131T080000Z"],
  ])("%s becomes %s", (text, expected) => {
    expect(toRule(text, start, "testing").toString()).toBe(expected)
  })

  it.each([
    "sometimes",
    "FREQ=OFTEN",
    "FREQ=DAILY;INTERVAL=0",
    "INTERVAL=2",
    "FREQ=DAILY;COUNT=2;UNTIL=20270101",
    "FREQ=WEEKLY;BYDAY=XX",
  ])("%s is refused with an example", (text) => {
    expect(() => toRule(text, start, "testing")).toThrow(/FREQ=WEEKLY/)
  })
})

it("a file that is not a calendar is refused", () => {
  expect(() => readDocument("BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n")).toThrow()
  expect(() => readDocument("hello")).toThrow()
})
