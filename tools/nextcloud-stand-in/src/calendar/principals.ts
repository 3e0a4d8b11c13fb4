// How a client discovers its user: the root names the principal, and the principal names the homes of calendars and
// contacts.

import type { Call, Reply, User } from "../area.ts"
import { encodePath, hrefXml, noNode, notImplemented, type Resource } from "../collections/answers.ts"
import { propfind } from "../collections/requests.ts"
import { folderResource } from "../collections/resources.ts"
import { xml } from "../xml.ts"

const davHeader = {
  dav: "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, nc-paginate, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2",
}

export function root(call: Call, user: User): Reply {
  const kind = { xml: "<d:collection/>" }
  const ownProperties = { "{DAV:}principal-URL": hrefXml(call, `principals/users/${user.id}/`) }
  return propfind(
    call,
    () => [folderResource(call, "", { kind, rights: ["d:read"], extraProperties: ownProperties })],
    davHeader,
  )
}

/** Answers for a path below `principals/`, which is given as its segments. */
export function principal(call: Call, [kind = "", id = ""]: readonly string[]): Reply {
  const person = call.world.users.get(id)
  if (kind !== "users" || person === undefined) return noNode(id === "" ? kind : id)
  if (call.method !== "PROPFIND") return notImplemented()
  return propfind(call, () => [principalResource(call, person)], davHeader)
}

function principalResource(call: Call, { id, displayName, email }: User): Resource {
  const self = hrefXml(call, `principals/users/${id}/`)
  const home = `calendars/${id}/`
  const isOwn = id === call.user?.id
  const mail = xml`<d:href>${encodePath(`mailto:${email}`)}</d:href>`
  const addresses = xml`${email === "" ? undefined : mail}${self}`
  const kind = { xml: "<d:collection/><d:principal/>" }
  const extraProperties = {
    "{DAV:}displayname": xml`${displayName}`,
    "{DAV:}principal-URL": self,
    "{http://sabredav.org/ns}email-address": xml`${email}`,
    "{urn:ietf:params:xml:ns:caldav}calendar-user-type": xml`INDIVIDUAL`,
    "{urn:ietf:params:xml:ns:caldav}calendar-user-address-set": addresses,
    "{urn:ietf:params:xml:ns:caldav}calendar-home-set": hrefXml(call, home),
    "{urn:ietf:params:xml:ns:carddav}addressbook-home-set": hrefXml(call, `addressbooks/users/${id}/`),
    ...(isOwn && {
      "{urn:ietf:params:xml:ns:caldav}schedule-inbox-URL": hrefXml(call, `${home}inbox/`),
      "{urn:ietf:params:xml:ns:caldav}schedule-outbox-URL": hrefXml(call, `${home}outbox/`),
      "{urn:ietf:params:xml:ns:caldav}schedule-default-calendar-URL": hrefXml(call, `${home}personal/`),
    }),
  }
  return folderResource(call, `principals/users/${id}/`, { kind, rights: ["d:read"], extraProperties })
}
