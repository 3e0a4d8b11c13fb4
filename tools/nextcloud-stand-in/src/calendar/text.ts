// Calendar objects as text: parsed with ical.js, validated and completed as the server does.

import { randomUUID } from "node:crypto"
import ICAL from "ical.js"
import { tzlib_get_ical_block } from "timezones-ical-library"

export type Component = InstanceType<typeof ICAL.Component>
export type Time = InstanceType<typeof ICAL.Time>

/** Throws when the text is not a calendar. Time zones that the text does not define are looked up by name. */
export function parseCalendar(text: string): Component {
  const root = new ICAL.Component(ICAL.parse(text) as unknown[])
  for (const tzid of text.matchAll(/;TZID="?([^":;]+)"?/g)) registerZone(tzid[1] ?? "")
  return root
}

/** Events, tasks and journals, without time zones. */
export function componentsOf(text: string): readonly Component[] {
  return parseCalendar(text)
    .getAllSubcomponents()
    .filter((component) => component.name !== "vtimezone")
}

export function uidOf(components: readonly Component[]): string {
  return textOf(components[0], "uid") ?? ""
}

export function textOf(component: Component | undefined, property: string): string | undefined {
  const value = component?.getFirstPropertyValue(property)
  return value === null || value === undefined ? undefined : String(value)
}

export function timeOf(component: Component, property: string): Time | undefined {
  const value = component.getFirstPropertyValue(property)
  return value instanceof ICAL.Time ? value : undefined
}

/** The time in milliseconds. Floating times and whole days count as UTC. */
export function toMillis(time: Time): number {
  return time.toUnixTime() * 1000
}

export type Checked =
  | { readonly text: string; readonly components: readonly Component[]; readonly warning?: string }
  | { readonly refused: "unparsable" | "vcard" | "uids" | "component"; readonly reason: string }

/** Validates an object for a calendar that accepts only some components. Adds a missing UID. */
export function check(text: string, allowed: readonly string[]): Checked {
  if (/^\s*BEGIN:VCARD/i.test(text)) return { refused: "vcard", reason: "" }
  let components: readonly Component[]
  try {
    if (!/^\s*BEGIN:VCALENDAR/i.test(text)) throw new Error("This parser only supports VCARD and VCALENDAR files")
    components = componentsOf(text)
  } catch (error) {
    return { refused: "unparsable", reason: error instanceof Error ? error.message : String(error) }
  }
  const [firstComponent] = components
  if (firstComponent === undefined || !allowed.includes(firstComponent.name.toUpperCase())) {
    return { refused: "component", reason: allowed.join(", ") }
  }
  const uids = new Set(components.map((component) => textOf(component, "uid")))
  if (uids.size > 1) return { refused: "uids", reason: "" }
  if (!uids.has(undefined)) return { text, components }
  const componentName = firstComponent.name.toUpperCase()
  const textWithUid = text.replaceAll(
    `END:${componentName}`,
    `UID:sabre-vobject-${randomUUID()}\r\nEND:${componentName}`,
  )
  return {
    text: textWithUid,
    components: componentsOf(textWithUid),
    warning: `UID MUST appear exactly once in a ${componentName} component`,
  }
}

function registerZone(tzid: string): void {
  if (tzid === "" || ICAL.TimezoneService.has(tzid)) return
  const [block] = tzlib_get_ical_block(tzid)
  if (block === undefined || !block.startsWith("BEGIN:VTIMEZONE")) return
  ICAL.TimezoneService.register(new ICAL.Timezone(new ICAL.Component(ICAL.parse(block) as unknown[])), tzid)
}
