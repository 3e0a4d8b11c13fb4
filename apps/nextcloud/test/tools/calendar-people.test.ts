// Everybody who is invited has their own name and role, in every event and for every user of the process.

import { expect, it } from "vitest"
import { calendarTools } from "../../src/tools/calendar/calendar.ts"
import { callTool, toolOf } from "../fits.ts"
import { createdEvent } from "../samples/calendar.ts"
import { openStage } from "./stage.ts"

it("names and roles of attendees do not mix within an event, between events or between users", async () => {
  const { alice, bob } = openStage()
  const first = [
    { email: "chair@example.org", name: "Ann Chair", role: "chair" },
    { email: "bob@example.org", name: "Bob", role: "optional" },
  ]
  const second = [{ email: "plain@example.org" }]
  const third = [{ email: "carol@example.org" }, { email: "last@example.org", name: "Lee Last", role: "informed" }]
  const created = [
    { nextcloud: alice.nextcloud, attendees: first },
    { nextcloud: alice.nextcloud, attendees: second },
    { nextcloud: bob.nextcloud, attendees: third },
  ]
  for (const { nextcloud, attendees } of created) {
    const { id } = await createdEvent(nextcloud, { attendees })
    const read = { event_id: id }
    const whole = await callTool<{ attendees: object[] }>(
      toolOf(calendarTools, "nc_calendar_get_event"),
      read,
      nextcloud,
    )
    const actual = whole.attendees.map((one) => ({ ...one, answer: undefined }))
    const wanted = attendees.map(({ email, ...rest }) => ({ email, ...rest, answer: undefined }))
    expect(actual).toEqual(wanted)
  }
})
