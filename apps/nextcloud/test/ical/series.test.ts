// Random series: a change of one occurrence, or of one and the following, leaves all other occurrences unchanged.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { instantOf, toText } from "../../src/ical/calendar-time.ts"
import { idText, occurrencesIn } from "../../src/ical/occurrences.ts"
import { changeEvent, findId } from "../../src/ical/series.ts"
import { endBefore, excludeOccurrence } from "../../src/ical/split.ts"
import { utc } from "../../src/ical/zone.ts"
import { calendarOf, eventOf, seriesOf } from "./files.ts"

const making = { now: Date.UTC(2026, 10, 15, 12), activity: "testing", newUid: "new@test" }
const range = { from: Date.UTC(2026, 0), to: Date.UTC(2027, 5) }

/** The occurrences of a series in order, as “start/end title”. */
function occurrences(text: string) {
  return occurrencesIn(seriesOf(text), range, utc)
    .map(({ id, start, end, component }) => ({
      at: instantOf(id ?? start, utc),
      id: idText(id ?? start),
      shown: `${toText(start)}/${toText(end)} ${component.getFirstPropertyValue("summary")}`,
    }))
    .sort((a, b) => a.at - b.at)
}

const startTexts = (text: string): readonly string[] => occurrences(text).map((one) => one.shown)

const stamp = (wall: number): string => new Date(wall).toISOString().replace(/[-:]|\.\d+Z/g, "")

type Kind = "day" | "utc" | "floating" | "zone"

interface Drawn {
  readonly first: number
  readonly kind: Kind
  readonly zone: string
  readonly length: readonly [string, number]
  readonly byDuration: boolean
  readonly rule: string
  readonly end: { readonly count?: number; readonly days?: number }
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  first: fc.integer({ min: 0, max: 200 * 96 }).map((quarters) => Date.UTC(2026, 1, 1) + quarters * 900_000),
  kind: fc.constantFrom<Kind>("day", "utc", "floating", "zone"),
  zone: fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"),
  length: fc.constantFrom<readonly [string, number]>(["PT30M", 1_800_000], ["P1D", 86_400_000], ["PT26H", 93_600_000]),
  byDuration: fc.boolean(),
  rule: fc.constantFrom(
    "FREQ=DAILY;INTERVAL=5",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH,SU;WKST=SU",
    "FREQ=WEEKLY;BYDAY=SU",
    "FREQ=MONTHLY",
    "FREQ=MONTHLY;BYDAY=-1FR",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=YEARLY",
  ),
  end: fc.oneof(
    fc.constant({}),
    fc.integer({ min: 1, max: 12 }).map((count) => ({ count })),
    fc.integer({ min: 5, max: 200 }).map((days) => ({ days })),
  ),
})

function toSeries({ first, kind, zone, length, byDuration, rule, end }: Drawn): string {
  const write = (wall: number): string =>
    kind === "day" ? stamp(wall).slice(0, 8) : `${stamp(wall)}${kind === "utc" ? "Z" : ""}`
  const parameter = { day: ";VALUE=DATE", utc: "", floating: "", zone: `;TZID=${zone}` }[kind]
  const [duration, lasts] = kind === "day" ? (["P1D", 86_400_000] as const) : length
  const last = first + (end.days ?? 0) * 86_400_000
  const until = kind === "day" || kind === "floating" ? write(last) : `${stamp(last)}Z`
  const limit = end.count === undefined ? (end.days === undefined ? "" : `;UNTIL=${until}`) : `;COUNT=${end.count}`
  const times = [
    `DTSTART${parameter}:${write(first)}`,
    byDuration ? `DURATION:${duration}` : `DTEND${parameter}:${write(first + lasts)}`,
  ]
  return calendarOf(eventOf(...times, `RRULE:${rule}${limit}`))
}

/** Checks random series in which one occurrence was changed before. `pick` selects an occurrence. */
function check(holds: (text: string, pick: number) => void) {
  const changed = fc.tuple(drawn, fc.nat(40), fc.nat(40)).map(([one, own, pick]) => {
    const text = toSeries(one)
    const all = occurrences(text)
    const recurrence_id = all[own % all.length]?.id
    const next = changeEvent(seriesOf(text), { recurrence_id }, { title: "Own" }, making).text
    return [next, pick % all.length] as const
  })
  fc.assert(
    fc.property(changed, ([text, pick]) => holds(text, pick)),
    { numRuns: 25, seed: 6 },
  )
}

describe("a series with any rule and zone", () => {
  it("keeps all other occurrences when one is changed", () => {
    check((text, pick) => {
      const recurrence_id = occurrences(text)[pick]?.id
      const next = changeEvent(seriesOf(text), { recurrence_id }, { title: "New" }, making).text
      expect(startTexts(next)).toEqual(
        startTexts(text).map((one, at) => (at === pick ? one.replace(/ \w+$/, " New") : one)),
      )
    })
  })

  it("keeps all other occurrences when one is left out", () => {
    check((text, pick) => {
      const series = seriesOf(text)
      excludeOccurrence(series, findId(series, occurrences(text)[pick]?.id ?? "", "testing"), making.now)
      expect(startTexts(series.document.toString())).toEqual(startTexts(text).filter((_, at) => at !== pick))
    })
  })

  it("is split in two with every occurrence in exactly one part", () => {
    check((text, pick) => {
      const which = { recurrence_id: occurrences(text)[pick]?.id, occurrence: "following" as const }
      const { text: before, newSeries } = changeEvent(seriesOf(text), which, { location: "There" }, making)
      expect([...startTexts(before), ...(newSeries === undefined ? [] : startTexts(newSeries.text))]).toEqual(
        startTexts(text),
      )
      if (newSeries !== undefined) expect(startTexts(before)).toHaveLength(pick)
    })
  })

  it("keeps the earlier occurrences when the following ones are deleted", () => {
    check((text, pick) => {
      if (pick === 0) return
      const series = seriesOf(text)
      endBefore(series, findId(series, occurrences(text)[pick]?.id ?? "", "testing"), making.now)
      expect(startTexts(series.document.toString())).toEqual(startTexts(text).slice(0, pick))
    })
  })
})
