// Finds a changed occurrence by its instant, and moves a span without changing its length.

import type { CalendarTime } from "./calendar-time.ts"
import { instantOf, timeOf, toTimeLike } from "./calendar-time.ts"
import type { Span } from "./change.ts"
import type { Component, Series } from "./document.ts"
import { utc } from "./zone.ts"

/**
 * The zone in which dates and floating times become instants. Any zone would do, because such instants are only
 * compared with each other.
 */
export const home = utc

export function overrideOf({ document, overrides }: Series, id: CalendarTime): Component | undefined {
  return overrides.find((component) => {
    const recurrenceId = timeOf(component, "recurrence-id", document.zone)
    return recurrenceId !== undefined && instantOf(recurrenceId, home) === instantOf(id, home)
  })
}

/** The same span with another start and the same length. */
export function shiftSpan({ start, end }: Span, to: CalendarTime): Span {
  if (start.isDate || to.isDate) return { start: to, end: { ...end, wall: end.wall + to.wall - start.wall } }
  const length = instantOf(end, home) - instantOf(start, home)
  return { start: to, end: toTimeLike(instantOf(to, home) + length, end, home) }
}
