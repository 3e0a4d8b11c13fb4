// The way to the iCalendar layer: loaded when the first tool needs it, since starting must be quick.

export async function loadEvents() {
  const [change, documents, event, occurrences, people, series, span, split, when, zone] = await Promise.all([
    import("../../ical/change.ts"),
    import("../../ical/document.ts"),
    import("../../ical/event.ts"),
    import("../../ical/occurrences.ts"),
    import("../../ical/people.ts"),
    import("../../ical/series.ts"),
    import("../../ical/span.ts"),
    import("../../ical/split.ts"),
    import("../../ical/when.ts"),
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
    ...when,
    ...zone,
  }
}

export type Events = Awaited<ReturnType<typeof loadEvents>>
