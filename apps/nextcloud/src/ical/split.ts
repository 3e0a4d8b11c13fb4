// Splits a series: ends it before an occurrence, makes the rest a new series, or excludes single occurrences.

import type { CalendarTime } from "./calendar-time.ts"
import { instantOf, timeOf, timeProperty, timesOf } from "./calendar-time.ts"
import { moveSpan, touch } from "./change.ts"
import type { Component, Document, Series } from "./document.ts"
import { copyOf, seriesIn } from "./document.ts"
import { spanOf, startsUntil } from "./occurrences.ts"
import { endedBefore, ruleOf, setRule, withoutFirst } from "./rule.ts"
import { home, overrideOf, shifted } from "./span.ts"

/** Turns the rest of a series, from this occurrence on, into a new series. */
export function beginAt(document: Document, id: CalendarTime, uid: string): void {
  const series = seriesIn(document, "vevent")
  for (const component of document.root.getAllSubcomponents("vevent")) component.updatePropertyWithValue("uid", uid)
  const master = series?.master
  const old = master === undefined ? undefined : spanOf(master, document.zone, home)
  if (series === undefined || master === undefined || old === undefined) return
  const rule = ruleOf(master)
  const done = countUntil(series, master, old.start, id)
  cutExceptions(series, master, (when) => instantOf(when, home) >= instantOf(id, home))
  moveSpan(master, shifted(old, id))
  if (rule !== undefined) setRule(master, withoutFirst(rule, done))
}

/** The number of occurrences by rule before this one. Excluded ones count, as they do for COUNT. */
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
  cutExceptions(series, master, (when) => instantOf(when, home) < instantOf(id, home))
  touch(master, now)
}

function cutExceptions(
  { document, overrides }: Series,
  master: Component,
  isKept: (when: CalendarTime) => boolean,
): void {
  for (const name of ["exdate", "rdate"]) {
    for (const property of master.getAllProperties(name)) {
      const whens = timesOf(property, document.zone)
      if (whens.every(isKept)) continue
      for (const when of whens.filter(isKept)) master.addProperty(timeProperty(name, when))
      master.removeProperty(property)
    }
  }
  for (const own of overrides) {
    const id = timeOf(own, "recurrence-id", document.zone)
    if (id !== undefined && !isKept(id)) document.root.removeSubcomponent(own)
  }
}

/** Excludes one occurrence. */
export function leaveOut(series: Series, id: CalendarTime, now: number): void {
  const own = overrideOf(series, id)
  if (own !== undefined) series.document.root.removeSubcomponent(own)
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
  return startsUntil(master, start, document.zone, { until: Number.POSITIVE_INFINITY, most: 1, home }).length === 0
}
