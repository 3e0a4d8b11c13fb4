// Splits a series: ends it before an occurrence, makes the rest a new series, or excludes single occurrences.

import type { CalendarTime } from "./calendar-time.ts"
import { instantOf, timeOf, timeProperty, timesOf } from "./calendar-time.ts"
import { moveSpan, touch } from "./change.ts"
import type { Component, Document, Series } from "./document.ts"
import { copyOf, seriesIn } from "./document.ts"
import { spanOf, startsUntil } from "./occurrences.ts"
import { endedBefore, ruleOf, setRule, withoutFirst } from "./rule.ts"
import { home, overrideOf, shiftSpan } from "./span.ts"

/** Turns the rest of a series, from this occurrence on, into a new series. */
export function beginAt(document: Document, id: CalendarTime, uid: string): void {
  const series = seriesIn(document, "vevent")
  for (const component of document.root.getAllSubcomponents("vevent")) component.updatePropertyWithValue("uid", uid)
  const master = series?.master
  const oldSpan = master === undefined ? undefined : spanOf(master, document.zone, home)
  if (series === undefined || master === undefined || oldSpan === undefined) return
  const rule = ruleOf(master)
  const count = countUntil(series, master, oldSpan.start, id)
  cutExceptions(series, master, (time) => instantOf(time, home) >= instantOf(id, home))
  moveSpan(master, shiftSpan(oldSpan, id))
  if (rule !== undefined) setRule(master, withoutFirst(rule, count))
}

/** The number of the rule's occurrences before this one. Excluded occurrences count too, as they do for COUNT. */
function countUntil({ document }: Series, master: Component, start: CalendarTime, id: CalendarTime): number {
  const all = copyOf(master)
  for (const name of ["exdate", "rdate"]) all.removeAllProperties(name)
  return startsUntil(all, start, document.zone, { until: instantOf(id, home), home }).length
}

export function endBefore(series: Series, id: CalendarTime, now: number): void {
  const { master } = series
  if (master === undefined) return
  const rule = ruleOf(master)
  if (rule !== undefined) setRule(master, endedBefore(rule, id, home))
  cutExceptions(series, master, (time) => instantOf(time, home) < instantOf(id, home))
  touch(master, now)
}

function cutExceptions(
  { document, overrides }: Series,
  master: Component,
  isKept: (time: CalendarTime) => boolean,
): void {
  for (const name of ["exdate", "rdate"]) {
    for (const property of master.getAllProperties(name)) {
      const times = timesOf(property, document.zone)
      if (times.every(isKept)) continue
      for (const time of times.filter(isKept)) master.addProperty(timeProperty(name, time))
      master.removeProperty(property)
    }
  }
  for (const override of overrides) {
    const id = timeOf(override, "recurrence-id", document.zone)
    if (id !== undefined && !isKept(id)) document.root.removeSubcomponent(override)
  }
}

/** Removes one occurrence from a series, with an EXDATE. */
export function excludeOccurrence(series: Series, id: CalendarTime, now: number): void {
  const override = overrideOf(series, id)
  if (override !== undefined) series.document.root.removeSubcomponent(override)
  if (series.master === undefined) return
  series.master.addProperty(timeProperty("exdate", id))
  touch(series.master, now)
}

/** Whether the series has no occurrence left. */
export function isOver({ document }: Series): boolean {
  const series = seriesIn(document, "vevent")
  if (series === undefined) return true
  const { master, overrides } = series
  const start = master === undefined ? undefined : timeOf(master, "dtstart", document.zone)
  if (overrides.length > 0 || master === undefined || start === undefined) return overrides.length === 0
  return startsUntil(master, start, document.zone, { until: Number.POSITIVE_INFINITY, maxCount: 1, home }).length === 0
}
