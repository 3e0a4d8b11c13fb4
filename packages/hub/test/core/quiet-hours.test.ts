// Quiet hours follow local time, also in nights with a clock change.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { quietHoursProblems, quietUntil } from "../../src/core/quiet-hours.ts"

const night = { from: "22:00", to: "07:00", zone: "Europe/Berlin", urgent: true }
const until = (at: string, hours = night): string | undefined => {
  const end = quietUntil(hours, Date.parse(at))
  return end === undefined ? undefined : new Date(end).toISOString()
}

describe("quiet hours", () => {
  it("end in the morning of the next day, or of the same day", () => {
    expect(until("2026-11-18T21:00:00Z")).toBe("2026-11-19T06:00:00.000Z")
    expect(until("2026-11-19T05:59:59.999Z")).toBe("2026-11-19T06:00:00.000Z")
    expect(until("2026-11-19T06:00:00Z")).toBeUndefined()
    expect(until("2026-11-18T20:59:59.999Z")).toBeUndefined()
    expect(until("2026-11-18T12:30:20Z", { ...night, from: "13:00", to: "14:15" })).toBe("2026-11-18T13:15:00.000Z")
  })

  verifies("ladder.quiet-hours", "are an hour longer in the night of 25 October 2026 in Berlin", () => {
    expect(until("2026-10-24T20:00:00Z")).toBe("2026-10-25T06:00:00.000Z")
    expect(until("2026-10-23T20:00:00Z")).toBe("2026-10-24T05:00:00.000Z")
  })

  verifies("ladder.quiet-hours", "are an hour shorter in the night of 28 March 2027 in Berlin", () => {
    expect(until("2027-03-27T21:00:00Z")).toBe("2027-03-28T05:00:00.000Z")
    expect(until("2027-03-26T21:00:00Z")).toBe("2027-03-27T06:00:00.000Z")
  })

  it("end when a clock change skips their end, and at the local time when an hour is repeated", () => {
    const early = { ...night, to: "02:30" }
    expect(until("2027-03-28T00:45:00Z", early)).toBe("2027-03-28T01:00:00.000Z")
    expect(until("2026-10-25T00:15:00Z", early)).toBe("2026-10-25T00:30:00.000Z")
    expect(until("2026-10-25T01:15:00Z", early)).toBe("2026-10-25T01:30:00.000Z")
  })

  it("work in zones with half-hour offsets and half-hour clock changes", () => {
    expect(until("2026-11-18T20:00:00Z", { ...night, zone: "Asia/Kolkata" })).toBe("2026-11-19T01:30:00.000Z")
    expect(until("2026-10-03T12:00:00Z", { ...night, zone: "Australia/Lord_Howe" })).toBe("2026-10-03T20:00:00.000Z")
  })

  it("are refused with every problem listed", () => {
    const problems = quietHoursProblems({ from: "25:00", to: "7", zone: "+01:00" })
    expect(problems.map(({ path }) => path)).toEqual(["from", "to", "zone"])
    expect(quietHoursProblems({ from: "22:00", to: "22:00", zone: "Europe/Berlin" })).toHaveLength(1)
    expect(quietHoursProblems({ ...night, zone: "Mars/Olympus" })).toHaveLength(1)
    expect(quietHoursProblems(night)).toEqual([])
  })
})
