// Loads the iCalendar code lazily, when the first tool needs it, to keep startup fast.

export type Events = typeof import("../../ical/change.ts") &
  typeof import("../../ical/document.ts") &
  typeof import("../../ical/event.ts") &
  typeof import("../../ical/occurrences.ts") &
  typeof import("../../ical/attendees.ts") &
  typeof import("../../ical/series.ts") &
  typeof import("../../ical/span.ts") &
  typeof import("../../ical/split.ts") &
  typeof import("../../ical/calendar-time.ts") &
  typeof import("../../ical/step-budget.ts") &
  typeof import("../../ical/zone.ts")

export async function loadEvents(): Promise<Events> {
  const [change, documents, event, occurrences, people, series, span, split, calendarTime, stepBudget, zone] =
    await Promise.all([
      import("../../ical/change.ts"),
      import("../../ical/document.ts"),
      import("../../ical/event.ts"),
      import("../../ical/occurrences.ts"),
      import("../../ical/attendees.ts"),
      import("../../ical/series.ts"),
      import("../../ical/span.ts"),
      import("../../ical/split.ts"),
      import("../../ical/calendar-time.ts"),
      import("../../ical/step-budget.ts"),
      import("../../ical/zone.ts"),
    ])
  return {
    ...change,
    ...documents,
    ...event,
    ...occurrences,
    ...people,
    ...series,
    ...span,
    ...split,
    ...calendarTime,
    ...stepBudget,
    ...zone,
  }
}
