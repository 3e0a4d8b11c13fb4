// Lists a person's calendars: their own, those shared with them, and those that Nextcloud generates.

import type { DavItem } from "../../api/dav.ts"
import { propfind } from "../../api/dav.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { lastSegment, userIdOf } from "../../path-encoding.ts"
import { apple, caldav, childOf, childrenOf, dav, oc, textOf, xml } from "../../xml.ts"

export interface Calendar {
  readonly id: string
  readonly name: string
  readonly color?: string
  readonly description?: string
  readonly read_only: boolean
  /** The owner, when the calendar is shared by someone else. */
  readonly owner?: string
  readonly events: boolean
  readonly tasks: boolean
  /** Whether events in this calendar make the person busy. */
  readonly isOpaque: boolean
}

export async function homePath(nextcloud: Nextcloud): Promise<string> {
  return `/remote.php/dav/calendars/${encodeURIComponent(await nextcloud.userId())}/`
}

const props = xml`<d:resourcetype/><d:displayname/><d:current-user-privilege-set/><oc:owner-principal/><oc:read-only/>
<cal:supported-calendar-component-set/><cal:calendar-description/><cal:schedule-calendar-transp/><x1:calendar-color/>`

/** Reads all calendars with one request. */
export async function readCalendars(nextcloud: Nextcloud): Promise<readonly Calendar[]> {
  const activity = "listing the calendars"
  const items = await propfind(nextcloud, { path: await homePath(nextcloud), props, depth: 1, activity })
  const userId = await nextcloud.userId()
  return items.filter(isCalendar).map((item) => toCalendar(item, userId))
}

export const isCalendar = ({ props }: DavItem): boolean =>
  childOf(childOf(props, dav, "resourcetype"), caldav, "calendar") !== undefined

export function toCalendar({ href, props }: DavItem, userId: string): Calendar {
  const id = lastSegment(href)
  const description = textOf(props, caldav, "calendar-description") || undefined
  const color = textOf(props, apple, "calendar-color") || undefined
  const owner = userIdOf(textOf(props, oc, "owner-principal") ?? "")
  const kinds = childrenOf(childOf(props, caldav, "supported-calendar-component-set"), caldav, "comp")
  const hasComponent = (kind: string): boolean =>
    kinds.length === 0 || kinds.some(({ attributes }) => attributes.name === kind)
  const transparency = childOf(props, caldav, "schedule-calendar-transp")
  return {
    id,
    name: textOf(props, dav, "displayname") || id,
    ...(color === undefined ? {} : { color }),
    ...(description === undefined ? {} : { description }),
    ...(owner === undefined || owner === userId ? {} : { owner }),
    read_only: textOf(props, oc, "read-only") === "1" || !mayWrite(props),
    events: hasComponent("VEVENT"),
    tasks: hasComponent("VTODO"),
    isOpaque: childOf(transparency, caldav, "transparent") === undefined,
  }
}

function mayWrite(props: DavItem["props"]): boolean {
  const privileges = childrenOf(childOf(props, dav, "current-user-privilege-set"), dav, "privilege")
  const writes = ["all", "write", "bind", "write-content"]
  return privileges.some((privilege) => writes.some((name) => childOf(privilege, dav, name) !== undefined))
}
