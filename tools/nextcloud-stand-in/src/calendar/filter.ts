// The filter of a calendar-query (RFC 4791 §9.7): components, properties, parameters, text and time.

import { caldav, childOf, childrenOf, type Element } from "../xml.ts"
import { fromStamp, occurrencesIn, type Range } from "./occurrences.ts"
import { type Component, parseCalendar, timeOf, toMillis } from "./text.ts"

/** Whether this object matches. Without a filter every object does. */
export function matchesFilter(text: string, filter: Element | undefined): boolean {
  const outerFilter = childOf(filter, caldav, "comp-filter")
  if (outerFilter === undefined) return true
  const root = parseCalendar(text)
  return root.name === outerFilter.attributes.name?.toLowerCase() && insideMatches([root], outerFilter)
}

export function rangeOf(element: Element | undefined): Range {
  return {
    start: fromStamp(element?.attributes.start) ?? Number.NEGATIVE_INFINITY,
    end: fromStamp(element?.attributes.end) ?? Number.POSITIVE_INFINITY,
  }
}

/** Whether a component has all that the filter requires. Times are checked for all, which may be one series. */
function insideMatches(components: readonly Component[], filter: Element): boolean {
  const range = childOf(filter, caldav, "time-range")
  if (range !== undefined && !isInRange(components, rangeOf(range))) return false
  return components.some(
    (component) =>
      childrenOf(filter, caldav, "comp-filter").every((inner) => componentMatches(component, inner)) &&
      childrenOf(filter, caldav, "prop-filter").every((inner) => propertyMatches(component, inner)),
  )
}

function componentMatches(parent: Component, filter: Element): boolean {
  const components = parent.getAllSubcomponents(filter.attributes.name?.toLowerCase() ?? "")
  if (childOf(filter, caldav, "is-not-defined") !== undefined) return components.length === 0
  return components.length > 0 && insideMatches(components, filter)
}

function propertyMatches(component: Component, filter: Element): boolean {
  const properties = component.getAllProperties(filter.attributes.name?.toLowerCase() ?? "")
  if (childOf(filter, caldav, "is-not-defined") !== undefined) return properties.length === 0
  if (properties.length === 0) return false
  const range = childOf(filter, caldav, "time-range")
  const time = range === undefined ? undefined : timeOf(component, properties[0]?.name ?? "")
  if (range !== undefined && (time === undefined || !isWithin(toMillis(time), rangeOf(range)))) return false
  const text = childOf(filter, caldav, "text-match")
  return properties.some(
    (property) =>
      (text === undefined || textMatches(property.getValues().map(String).join(","), text)) &&
      childrenOf(filter, caldav, "param-filter").every((inner) => parameterMatches(property, inner)),
  )
}

function parameterMatches(property: ReturnType<Component["getAllProperties"]>[number], filter: Element): boolean {
  const value = property.getParameter(filter.attributes.name?.toLowerCase() ?? "") as string | string[] | undefined
  if (childOf(filter, caldav, "is-not-defined") !== undefined) return value === undefined
  const text = childOf(filter, caldav, "text-match")
  return value !== undefined && (text === undefined || textMatches(String(value), text))
}

function textMatches(value: string, match: Element): boolean {
  const isExact = match.attributes.collation === "i;octet"
  const contains = isExact ? value.includes(match.text) : value.toLowerCase().includes(match.text.toLowerCase())
  return contains !== (match.attributes["negate-condition"] === "yes")
}

function isInRange(components: readonly Component[], range: Range): boolean {
  const kind = components[0]?.name
  if (kind === "vevent") return occurrencesIn(components, range).length > 0
  if (kind === "vtodo") return components.some((task) => taskIsIn(task, range))
  return true
}

/** Whether a task overlaps the range, by the table in RFC 4791 §9.9. */
function taskIsIn(task: Component, { start, end }: Range): boolean {
  const readTime = (property: string): number | undefined => {
    const time = timeOf(task, property)
    return time === undefined ? undefined : toMillis(time)
  }
  const [startTime, dueTime, completedTime, createdTime] = [
    readTime("dtstart"),
    readTime("due"),
    readTime("completed"),
    readTime("created"),
  ]
  if (startTime !== undefined && dueTime !== undefined) {
    return (start < dueTime || start <= startTime) && (end > startTime || end >= dueTime)
  }
  if (startTime !== undefined) return start <= startTime && end > startTime
  if (dueTime !== undefined) return start < dueTime && end >= dueTime
  if (completedTime !== undefined && createdTime !== undefined) {
    return (start <= createdTime || start <= completedTime) && (end >= createdTime || end >= completedTime)
  }
  if (completedTime !== undefined) return start <= completedTime && end >= completedTime
  return createdTime === undefined || end > createdTime
}

function isWithin(time: number, { start, end }: Range): boolean {
  return start <= time && time < end
}
