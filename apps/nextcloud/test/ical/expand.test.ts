// The recurrence rules of RFC 5545 section 3.8.5.3, and rules that never match: every expansion ends.

import { describe, expect, it } from "vitest"
import { readDocument, seriesIn } from "../../src/ical/document.ts"
import { findId } from "../../src/ical/series.ts"
import { excludeOccurrence, isOver } from "../../src/ical/split.ts"
import { completeTask } from "../../src/ical/task.ts"
import { calendarOf, eventOf, seriesOf, startsOf } from "./files.ts"

/** `days`: the first starts after DTSTART, as month and day, with the hour if it varies. */
const examples: readonly (readonly [start: string, rule: string, days: string])[] = [
  ["19970902T090000", "FREQ=DAILY;COUNT=4", "0902 0903 0904 0905"],
  ["19970902T090000", "FREQ=DAILY;INTERVAL=10;COUNT=5", "0902 0912 0922 1002 1012"],
  ["19970902T090000", "FREQ=WEEKLY;INTERVAL=2;WKST=SU", "0902 0916 0930 1014 1028 1111 1125 1209 1223"],
  ["19970902T090000", "FREQ=WEEKLY;COUNT=5;WKST=SU;BYDAY=TU,TH", "0902 0904 0909 0911 0916"],
  [
    "19970901T090000",
    "FREQ=WEEKLY;INTERVAL=2;UNTIL=19970920T000000;WKST=SU;BYDAY=MO,WE,FR",
    "0901 0903 0905 0915 0917 0919",
  ],
  ["19970902T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "0902 0904 0916 0918 0930 1002 1014 1016"],
  ["19970905T090000", "FREQ=MONTHLY;COUNT=4;BYDAY=1FR", "0905 1003 1107 1205"],
  ["19970907T090000", "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU", "0907 0928 1102 1130"],
  ["19970922T090000", "FREQ=MONTHLY;COUNT=4;BYDAY=-2MO", "0922 1020 1117 1222"],
  ["19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3", "0928 1029 1128 1229"],
  ["19970902T090000", "FREQ=MONTHLY;COUNT=8;BYMONTHDAY=2,15", "0902 0915 1002 1015 1102 1115 1202 1215"],
  ["19970930T090000", "FREQ=MONTHLY;COUNT=5;BYMONTHDAY=1,-1", "0930 1001 1031 1101 1130"],
  ["19970902T090000", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "0902 0909 0916 0923 0930 1104 1111 1118 1125"],
  ["19970913T090000", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "0913 1011 1108 1213"],
  ["19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "0904 1007 1106"],
  ["19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "0929 1030 1127 1230"],
  ["19970902T090000", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000", "0902T09 0902T12 0902T15"],
  ["19970902T090000", "FREQ=MINUTELY;INTERVAL=90;COUNT=4", "0902T09:00 0902T10:30 0902T12:00 0902T13:30"],
  [
    "19970902T090000",
    "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,30;COUNT=5",
    "0902T09:00 0902T09:30 0902T10:00 0902T10:30 0903T09:00",
  ],
  ["19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "0805 0810 0819 0824"],
  ["19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "0805 0817 0819 0831"],
]

const years: readonly (readonly [start: string, rule: string, days: string])[] = [
  ["19970610T090000", "FREQ=YEARLY;COUNT=6;BYMONTH=6,7", "19970610 19970710 19980610 19980710 19990610 19990710"],
  [
    "19970310T090000",
    "FREQ=YEARLY;INTERVAL=2;COUNT=7;BYMONTH=1,2,3",
    "19970310 19990110 19990210 19990310 20010110 20010210 20010310",
  ],
  [
    "19970101T090000",
    "FREQ=YEARLY;INTERVAL=3;COUNT=6;BYYEARDAY=1,100,200",
    "19970101 19970410 19970719 20000101 20000409 20000718",
  ],
  ["19970519T090000", "FREQ=YEARLY;BYDAY=20MO;COUNT=3", "19970519 19980518 19990517"],
  ["19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "19970512 19980511 19990517"],
  ["19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=5", "19970313 19970320 19970327 19980305 19980312"],
  ["19980213T090000", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=4", "19980213 19980313 19981113 19990813"],
  [
    "19961105T090000",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3",
    "19961105 20001107 20041102",
  ],
  ["20000229T090000", "FREQ=YEARLY;COUNT=3", "20000229 20040229 20080229"],
  ["20070115T090000", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "20070115 20070130 20070215 20070315 20070330"],
]

const seriesBy = (start: string, rule: string): string =>
  calendarOf(eventOf(`DTSTART:${start}`, "DURATION:PT1H", `RRULE:${rule}`))

const compact = (start: string): string => start.replace(/-/g, "")

describe("a recurrence rule of RFC 5545", () => {
  it.each(examples)("from %s, %s expands to the expected times", (start, rule, days) => {
    const wanted = days.split(" ")
    const width = wanted[0]?.length ?? 0
    const starts = startsOf(seriesBy(start, rule), "1997-01-01", "1998-01-01").map((one) =>
      compact(one).slice(4, 4 + width),
    )
    expect(starts.slice(0, wanted.length + (rule.includes("COUNT") ? 1 : 0))).toEqual(wanted)
  })

  it.each(years)("from %s, %s expands to the expected times over several years", (start, rule, days) => {
    const starts = startsOf(seriesBy(start, rule), "1996-01-01", "2010-01-01").map((one) => compact(one).slice(0, 8))
    expect(starts).toEqual(days.split(" "))
  })
})

/** Rules with which one `next()` of ical.js never returned. */
const endless = [
  "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
  "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
  "FREQ=HOURLY;INTERVAL=24;BYHOUR=3",
  "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31;BYDAY=MO",
] as const

const tooOften = ["FREQ=SECONDLY", "FREQ=MINUTELY;INTERVAL=3", "FREQ=SECONDLY;INTERVAL=60;BYSECOND=7"]

it.each(tooOften)("%s is refused, because it repeats too often", (rule) => {
  const text = seriesBy("20261103T090000Z", rule)
  expect(() => startsOf(text, "2026-01-01", "2029-01-01")).toThrow("it repeats too often to be expanded")
})

describe("a rule that never matches", () => {
  it.each(endless)("%s gives one occurrence, at the start", (rule) => {
    const text = seriesBy("20261103T090000Z", rule)
    expect(startsOf(text, "2026-01-01", "2027-06-01")).toEqual(["2026-11-03T09:00:00Z"])
    expect(() => findId(seriesOf(text), "2026-11-10T09:00:00Z", "testing")).toThrow("has no occurrence")
  })

  it("gives a series that is over when its only occurrence is left out", () => {
    const series = seriesOf(seriesBy("20261103T090000Z", endless[0]))
    excludeOccurrence(series, findId(series, "2026-11-03T09:00:00Z", "testing"), Date.UTC(2026, 10))
    expect(isOver(series)).toBe(true)
  })

  it("gives a task that is done after one completion", () => {
    const lines = ["BEGIN:VTODO", "UID:t", "DTSTART:20261103T090000Z", `RRULE:${endless[0]}`, "END:VTODO"]
    const document = readDocument(calendarOf(...lines))
    const task = seriesIn(document, "vtodo")?.master
    if (task === undefined) throw new Error("There is no task.")
    expect(completeTask(document, task, Date.UTC(2026, 10, 4))).toBe(false)
  })

  it("is not FREQ=DAILY;BYDAY=1MO, which means every Monday, as in Nextcloud", () => {
    const starts = startsOf(seriesBy("20261102T090000Z", "FREQ=DAILY;BYDAY=1MO"), "2026-11-01", "2026-11-20")
    expect(starts.map((one) => one.slice(0, 10))).toEqual(["2026-11-02", "2026-11-09", "2026-11-16"])
  })

  it.each([...endless, ...tooOften])("%s does not block a time zone definition that contains it", (rule) => {
    const part = ["DTSTART:19701101T030000", "TZOFFSETFROM:+0400", "TZOFFSETTO:+0300", `RRULE:${rule}`]
    const zone = ["BEGIN:VTIMEZONE", "TZID:Nowhere", "BEGIN:STANDARD", ...part, "END:STANDARD", "END:VTIMEZONE"]
    const event = eventOf("DTSTART;TZID=Nowhere:20261103T090000", "DURATION:PT1H")
    const starts = startsOf(calendarOf(...zone, event), "2026-11-01", "2026-11-20")
    expect(starts[0]).toMatch(/^2026-11-03T09:00:00(\+03:00)?$/)
  })
})
