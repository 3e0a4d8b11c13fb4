// Alice at the stand-in with the tools of the calendar.

import { calendarsOf, type StandInOptions } from "@holdpoint/nextcloud-stand-in"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { callTool, toolOf } from "../fits.ts"
import type { WrittenEvent } from "../samples/calendar.ts"
import { openStage } from "./stage.ts"

export interface Short extends WrittenEvent {
  readonly recurrence_id?: string
  readonly calendar: string
}

export interface Listed {
  readonly events: readonly Short[]
  readonly total: number
  readonly next_cursor?: string
  readonly unreadable?: number
}

export const november = { from: "2026-11-01", to: "2026-11-30", timezone: "Europe/Berlin" }

export function setUp(options: StandInOptions = {}) {
  const stage = openStage(options)
  const { nextcloud, requests, forget } = stage.alice
  const tool = (name: string) => toolOf(calendarTools, `nc_calendar_${name}`)
  const call = <O = Record<string, never>>(name: string, input: object) => callTool<O>(tool(name), input, nextcloud)
  const listed = (input: object = {}) => call<Listed>("list_events", { ...november, ...input })
  const starts = async (input: object = {}) => (await listed(input)).events.map(({ start }) => start)
  const storeFile = (file: string, text: string, calendar = "personal") =>
    calendarsOf(stage.standIn.world).put("alice", calendar, file, text)
  const raw = async (id: string) =>
    (await nextcloud.send({ path: `/remote.php/dav/calendars/alice/${id}`, activity: "x" })).text()
  const world = { standIn: stage.standIn, alice: nextcloud, bob: stage.bob.nextcloud }
  return { ...stage, world, nextcloud, requests, forget, tool, call, listed, starts, storeFile, raw }
}

/** Four Mondays at nine. */
export const weekly = [
  "DTSTART;TZID=Europe/Berlin:20261102T090000",
  "DTEND;TZID=Europe/Berlin:20261102T100000",
  "RRULE:FREQ=WEEKLY;COUNT=4",
]
