// The properties of calendars, of their items, and of the other folders in a person's home.

import type { Call } from "../area.ts"
import {
  hrefXml,
  nextcloudCom,
  type Properties,
  type PropertyName,
  privileges,
  type Resource,
} from "../collections/answers.ts"
import { toToken } from "../collections/requests.ts"
import { folderResource } from "../collections/resources.ts"
import type { Item } from "../collections/store.ts"
import { type Xml, xml } from "../xml.ts"
import { type Calendar, displayName, type UserCalendar } from "./store.ts"
import { componentsOf } from "./text.ts"

const readPrivileges = ["d:read", "d:read-acl", "d:read-current-user-privilege-set"]
const writePrivileges = [
  "d:write",
  "d:write-properties",
  "d:write-content",
  "d:unlock",
  "d:bind",
  "d:unbind",
  "d:write-acl",
]
const freeBusy = "cal:read-free-busy"
const inboxRights = ["deliver", "deliver-invite", "deliver-reply", "query-freebusy"].map(
  (name) => `cal:schedule-${name}`,
)
const outboxRights = ["send", "send-invite", "send-reply", "send-freebusy", "post-vevent"].map(
  (name) => `cal:schedule-${name}`,
)

/** The folder of all calendars, and its content. */
export function homeResources(call: Call, user: string, calendars: readonly UserCalendar[]): readonly Resource[] {
  const folder = (name: string, kind: string, rights: readonly string[]): Resource =>
    folderResource(call, `calendars/${user}/${name}`, { kind: { xml: `<d:collection/>${kind}` }, rights })
  const userCalendars = calendars.filter(({ calendar }) => !isAppGenerated(calendar))
  const appCalendars = calendars.filter(({ calendar }) => isAppGenerated(calendar))
  return [
    folder("", "", [...writePrivileges, ...readPrivileges]),
    ...userCalendars.map((userCalendar) => calendarResource(call, user, userCalendar)),
    folder("inbox/", "<cal:schedule-inbox/>", [...inboxRights, "d:unbind", "d:write-properties", ...readPrivileges]),
    folder("outbox/", "<cal:schedule-outbox/>", [...outboxRights, ...readPrivileges]),
    folder("trashbin/", `<x2:trash-bin xmlns:x2="${nextcloudCom}"/>`, [
      "d:all",
      "d:read",
      ...writePrivileges,
      ...readPrivileges.slice(1),
    ]),
    ...appCalendars.map((userCalendar) => calendarResource(call, user, userCalendar)),
  ]
}

export function calendarResource(call: Call, user: string, userCalendar: UserCalendar): Resource {
  const { calendar, share, writable } = userCalendar
  const { owner, token, components, deletedAt } = calendar
  const set: Properties = Object.fromEntries([...calendar.properties, ...(share?.properties ?? [])])
  const ownerName = call.world.users.get(owner)?.displayName ?? owner
  const properties: Properties = {
    "{DAV:}resourcetype": {
      xml: `<d:collection/>${deletedAt === undefined ? "<cal:calendar/>" : deletedCalendarType}`,
    },
    ...(deletedAt !== undefined && { [`{${nextcloudCom}}deleted-at`]: xml`${toIso(deletedAt)}` }),
    "{DAV:}current-user-principal": hrefXml(call, `principals/users/${call.user?.id}/`),
    "{DAV:}owner": hrefXml(call, `principals/users/${owner}/`),
    "{DAV:}current-user-privilege-set": privileges([
      ...(writable ? writePrivileges : ["d:write-properties"]),
      ...readPrivileges,
      freeBusy,
    ]),
    "{urn:ietf:params:xml:ns:caldav}supported-calendar-component-set": {
      xml: components.map((name) => `<cal:comp name="${name}"/>`).join(""),
    },
    "{urn:ietf:params:xml:ns:caldav}schedule-calendar-transp": {
      xml: share === undefined ? "<cal:opaque/>" : "<cal:transparent/>",
    },
    [`{${nextcloudCom}}owner-displayname`]: xml`${ownerName}`,
    ...set,
    ...(share !== undefined && nameOfShared(calendar.properties, share.properties, ownerName)),
  }
  const serverProperties: Properties = isAppGenerated(calendar)
    ? { "{DAV:}getlastmodified": xml`${new Date(call.world.now()).toUTCString()}` }
    : {
        "{http://calendarserver.org/ns/}getctag": xml`${toToken(token)}`,
        "{DAV:}sync-token": xml`${toToken(token)}`,
        "{http://sabredav.org/ns}sync-token": xml`${token}`,
        "{http://owncloud.org/ns}owner-principal": xml`principals/users/${owner}`,
        ...(share !== undefined && !share.write && { "{http://owncloud.org/ns}read-only": { xml: "1" } }),
        ...(share === undefined && { "{http://owncloud.org/ns}invite": invited(call, userCalendar) }),
      }
  const defaultProperties = isAppGenerated(calendar) ? defaultsOfApp : defaultsOfCalendar
  return {
    path: `calendars/${user}/${userCalendar.uri}/`,
    defaultProperties,
    properties: { ...properties, ...serverProperties },
  }
}

/** Calendars that other apps generate have fewer properties. */
const isAppGenerated = ({ uri }: Calendar): boolean => uri.startsWith("app-generated--")

const deletedCalendarType = `<x2:deleted-calendar xmlns:x2="${nextcloudCom}"/>`

export const toIso = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, "+00:00")

const defaultsOfApp: readonly PropertyName[] = [
  "{DAV:}getlastmodified",
  "{DAV:}resourcetype",
  "{DAV:}displayname",
  "{http://apple.com/ns/ical/}calendar-color",
  "{urn:ietf:params:xml:ns:caldav}supported-calendar-component-set",
]

const defaultsOfCalendar: readonly PropertyName[] = [
  "{DAV:}resourcetype",
  "{http://calendarserver.org/ns/}getctag",
  "{http://sabredav.org/ns}sync-token",
  "{urn:ietf:params:xml:ns:caldav}supported-calendar-component-set",
  "{urn:ietf:params:xml:ns:caldav}schedule-calendar-transp",
  "{http://owncloud.org/ns}owner-principal",
  "{http://owncloud.org/ns}read-only",
  "{DAV:}displayname",
  "{urn:ietf:params:xml:ns:caldav}calendar-description",
  "{http://apple.com/ns/ical/}calendar-order",
  "{http://apple.com/ns/ical/}calendar-color",
  `{${nextcloudCom}}deleted-at`,
  `{${nextcloudCom}}owner-displayname`,
]

/** For a calendar that is requested directly, and not with its home: it states its owner only when asked. */
export function withoutOwnerPrincipal(resource: Resource): Resource {
  return {
    ...resource,
    defaultProperties: resource.defaultProperties.filter((name) => !name.endsWith("}owner-principal")),
  }
}

/** The title of a shared calendar: the owner's title with the owner's name, unless the recipient renamed it. */
function nameOfShared(
  properties: ReadonlyMap<PropertyName, Xml>,
  recipientProperties: ReadonlyMap<PropertyName, Xml>,
  ownerName: string,
): Properties {
  const name = properties.get(displayName)
  return name === undefined || recipientProperties.has(displayName)
    ? {}
    : { [displayName]: xml`${name} (${ownerName})` }
}

function invited(call: Call, { calendar }: UserCalendar): Xml {
  const users = [...calendar.shares].map(([user, { write }]) => {
    const name = call.world.users.get(user)?.displayName ?? user
    const access = write ? xml`<oc:read-write/>` : xml`<oc:read/>`
    return xml`<oc:user><d:href>principal:principals/users/${user}</d:href><oc:common-name>${name}</oc:common-name><oc:invite-accepted/><oc:access>${access}</oc:access></oc:user>`
  })
  return xml`${users}`
}

export function calendarData(text: string): Properties {
  return { "{urn:ietf:params:xml:ns:caldav}calendar-data": xml`${text}` }
}

export function typeOf(item: Item): string {
  return `text/calendar; charset=utf-8; component=${componentsOf(item.text)[0]?.name ?? "vevent"}`
}
