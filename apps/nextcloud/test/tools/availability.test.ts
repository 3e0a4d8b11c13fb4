// Free times: only the arithmetic, and against the stand-in with people who are busy.

import { describe, expect, it } from "vitest"
import { namedZone } from "../../src/ical/calendar-time.ts"
import { toInstant, toWall } from "../../src/ical/zone.ts"
import { periodsIn } from "../../src/tools/calendar/availability.ts"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { freeSlots, toHours } from "../../src/tools/calendar/slots.ts"
import { callTool, toolOf } from "../fits.ts"
import { createdEvent } from "../samples/calendar.ts"
import { failing } from "./recorded-call.ts"
import { openStage } from "./stage.ts"

interface Availability {
  readonly slots: readonly { start: string; end: string; preferred?: boolean }[]
  readonly unknown: readonly { email: string; why: string }[]
  readonly total: number
}

// A Monday, far ahead.
const monday = { from: "2031-01-06", to: "2031-01-06", timezone: "Europe/Berlin" }

function setUp() {
  const { alice, bob, standIn } = openStage()
  const find = (input: object) =>
    callTool<Availability>(
      toolOf(calendarTools, "nc_calendar_find_availability"),
      { duration_minutes: 60, ...monday, ...input },
      alice.nextcloud,
    )
  const starts = async (input: object = {}) => (await find(input)).slots.map(({ start }) => start.slice(11, 16))
  return {
    alice: alice.nextcloud,
    bob: bob.nextcloud,
    requests: alice.requests,
    forget: alice.forget,
    standIn,
    find,
    starts,
  }
}

const at = (start: string, more: object = {}) => ({ start: `2031-01-06T${start}`, timezone: "Europe/Berlin", ...more })

describe("free times", () => {
  it("are the business hours minus the events in the user's calendars", async () => {
    const { alice, find, starts } = setUp()
    await createdEvent(alice, at("09:30", { duration_minutes: 45 }))
    await createdEvent(alice, at("13:00", { recurrence: "weekly" }))
    expect(await starts()).toEqual(["10:15", "11:15", "14:00", "15:00", "16:00"])
    expect((await find({})).slots[0]).toEqual({ start: "2031-01-06T10:15:00+01:00", end: "2031-01-06T11:15:00+01:00" })
  })

  it("ignore events that are marked as free or cancelled", async () => {
    const { alice, starts } = setUp()
    await createdEvent(alice, at("09:00", { busy: false, duration_minutes: 240 }))
    await createdEvent(alice, at("12:00", { status: "cancelled", duration_minutes: 240 }))
    expect(await starts()).toHaveLength(8)
  })

  it("ignore events that the user declined", async () => {
    const { alice, bob, starts } = setUp()
    await createdEvent(bob, at("09:00", { title: "Declined", attendees: [{ email: "alice@example.org" }] }))
    expect(await starts()).toHaveLength(7)
    const filter = { from: monday.from, to: monday.to, query: "declined" }
    const listed = await callTool<{ events: readonly { id: string }[] }>(
      toolOf(calendarTools, "nc_calendar_list_events"),
      filter,
      alice,
    )
    const answer = { event_id: listed.events[0]?.id, answer: "declined" }
    await callTool(toolOf(calendarTools, "nc_calendar_respond_to_invitation"), answer, alice)
    expect(await starts()).toHaveLength(8)
  })

  it("are none on a day with an all-day event", async () => {
    const { alice, starts } = setUp()
    await createdEvent(alice, { start: "2031-01-06" })
    expect(await starts()).toEqual([])
  })

  it("respect hours, weekends, buffers and preferred times", async () => {
    const { alice, starts, find } = setUp()
    await createdEvent(alice, at("12:00"))
    expect(await starts({ hours: "11:00-14:30", buffer_minutes: 15 })).toEqual(["13:15"])
    const saturday = { from: "2031-01-11", to: "2031-01-11" }
    expect(await starts(saturday)).toEqual([])
    expect(await starts({ ...saturday, weekends: true })).toHaveLength(8)
    const { slots } = await find({ preferred: ["15:00-17:00"], limit: 3 })
    expect(slots.map(({ start, preferred }) => [start.slice(11, 16), preferred])).toEqual([
      ["15:00", true],
      ["16:00", true],
      ["09:00", undefined],
    ])
  })

  it("respect the times of attendees, and name attendees whose times are unknown", async () => {
    const { bob, find, requests } = setUp()
    await createdEvent(bob, at("10:00", { duration_minutes: 120 }))
    const { slots, unknown } = await find({ attendees: ["bob@example.org", "stranger@example.net"] })
    expect(slots.map(({ start }) => start.slice(11, 16))).toEqual([
      "09:00",
      "12:00",
      "13:00",
      "14:00",
      "15:00",
      "16:00",
    ])
    expect(unknown).toEqual([
      { email: "stranger@example.net", why: expect.stringContaining("Could not find principal") },
    ])
    const asked = requests.find(({ method }) => method === "POST")
    expect(asked?.path).toBe("/remote.php/dav/calendars/alice/outbox/")
    expect(asked?.body).toContain("ORGANIZER:mailto:alice@example.org\r\nATTENDEE:mailto:bob@example.org")
    expect(asked?.body).toContain("DTSTART:20310105T230000Z\r\nDTEND:20310106T230000Z")
  })

  it("are refused for an invalid address, invalid hours or too long a range", async () => {
    const { find } = setUp()
    expect((await failing(find({ attendees: ["bob@example.org\r\nX-EVIL:1"] }))).message).toContain(
      "not an e-mail address",
    )
    for (const hours of ["late", "17:00-09:00", "09:75-17:00", "09:00-16:60", "09:00-24:01"]) {
      expect((await failing(find({ hours }))).message, hours).toContain("Write them as 09:00-17:00")
      expect((await failing(find({ preferred: [hours] }))).message, hours).toContain("Write them as 09:00-17:00")
    }
    expect((await failing(find({ to: "2032-01-06" }))).message).toContain("92 days")
  })
})

it("the first slot of each gap begins on a quarter hour, and slots keep local time across a clock change", () => {
  const zone = namedZone("Europe/Berlin", "")
  const range = { from: Date.parse("2026-03-28T00:00:00Z"), to: Date.parse("2026-03-30T00:00:00Z") }
  const wanted = {
    range,
    zone,
    minutes: 60,
    buffer: 0,
    hours: toHours("09:00-10:20", ""),
    weekends: true,
    preferred: [],
  }
  const busy = [{ from: Date.parse("2026-03-28T08:00:00Z"), to: Date.parse("2026-03-28T08:10:00Z") }]
  const slots = freeSlots({ toInstant, toWall }, wanted, busy)
  expect(slots.map(({ from }) => new Date(from).toISOString())).toEqual([
    "2026-03-28T08:15:00.000Z",
    "2026-03-29T07:00:00.000Z",
  ])
})

it("busy times are read in both forms, from folded lines too, without free times", () => {
  const text = [
    "FREEBUSY:20261116T080000Z/20261116T081500Z,2026111",
    " 7T080000Z/PT1H30M",
    "FREEBUSY;FBTYPE=FREE:20261118T080000Z/PT1H",
    "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261119T080000Z/P1D",
  ]
  expect(periodsIn(text.join("\r\n")).map(({ from, to }) => (to - from) / 60_000)).toEqual([15, 90, 1440])
})
