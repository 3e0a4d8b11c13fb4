// The responses of the WebDAV server: errors with the exception's name, and multistatus.

import type { Reply } from "../area.ts"
import { davError, type HeaderSet, htmlType, xmlType } from "../replies.ts"
import { dav, nc, oc, type Xml, xml } from "../xml.ts"
import { encodePath } from "./names.ts"

/** The server's capabilities. */
export const davHeader =
  "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, nc-paginate, " +
  "nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2"

export const methodsAllowed = "OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT, LOCK, UNLOCK"

const sabre = (name: string): string => `Sabre\\DAV\\Exception\\${name}`

export function notFound(message: string): Reply {
  return davError(404, sabre("NotFound"), message)
}

export function notLocated(path: string): Reply {
  return notFound(`File with name ${path} could not be located`)
}

export function forbidden(message = ""): Reply {
  return davError(403, sabre("Forbidden"), message)
}

export function conflict(message: string): Reply {
  return davError(409, sabre("Conflict"), message)
}

export function badRequest(message: string): Reply {
  return davError(400, sabre("BadRequest"), message)
}

export function notAllowed(message: string): Reply {
  return davError(405, sabre("MethodNotAllowed"), message, { headers: { allow: methodsAllowed } })
}

export function precondition(header: string, message: string): Reply {
  return davError(412, sabre("PreconditionFailed"), message, { xml: `  <s:header>${header}</s:header>\n` })
}

/** The refusal because the destination exists and must not be replaced. */
export function destinationExists(): Reply {
  const message = "The destination node already exists, and the overwrite header is set to false"
  return precondition("Overwrite", message)
}

export function notImplemented(method: string): Reply {
  const message = `There was no plugin in the system that was willing to handle this ${method} method.`
  return davError(501, sabre("NotImplemented"), message)
}

export function insufficientStorage(message: string): Reply {
  return davError(507, sabre("InsufficientStorage"), message)
}

export function invalidName(reason: string): Reply {
  const details = xml`  <o:retry xmlns:o="o:">false</o:retry>
  <o:reason xmlns:o="o:">${reason}</o:reason>
`
  const spaces = ` xmlns:o="${oc}"`
  return davError(400, "OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath", reason, { xml: details.xml, spaces })
}

/** Whether the value is a finished reply, and not an intermediate result. */
export function isReply(value: object): value is Reply {
  return "status" in value
}

/** An empty reply, as for nearly every success. */
export function emptyReply(status: number, headers: HeaderSet = {}): Reply {
  return { status, headers: { ...htmlType, "content-length": "0", ...headers } }
}

/** A property's name with its namespace: `{DAV:}displayname`. */
export type PropertyName = `{${string}}${string}`

export interface Propstat {
  readonly status: string
  /** Names and values. Of a property with the value undefined only the name is returned. */
  readonly properties: readonly (readonly [PropertyName, Xml | undefined])[]
}

export interface Response {
  /** The path of the resource, not yet encoded. */
  readonly href: string
  readonly propstats: readonly Propstat[]
}

const spaces: Readonly<Record<string, string>> = { [dav]: "d", [oc]: "oc", [nc]: "nc" }

export function multistatus(responses: readonly Response[], headers: HeaderSet = {}): Reply {
  const names = [`xmlns:d="${dav}"`, `xmlns:s="http://sabredav.org/ns"`, `xmlns:oc="${oc}"`, `xmlns:nc="${nc}"`]
  const responsesXml = responses.map(responseXml).join("")
  const element =
    responsesXml === ""
      ? `<d:multistatus ${names.join(" ")}/>`
      : `<d:multistatus ${names.join(" ")}>${responsesXml}</d:multistatus>`
  return { status: 207, headers: { ...xmlType, ...headers }, body: `<?xml version="1.0"?>\n${element}\n` }
}

function responseXml({ href, propstats }: Response): string {
  const filledPropstats = propstats.filter(({ properties }) => properties.length > 0)
  const includedPropstats = filledPropstats.length > 0 ? filledPropstats : propstats.slice(0, 1)
  const stats = includedPropstats.map(({ status, properties }) => {
    const content = properties.map(([name, value]) => propertyXml(name, value)).join("")
    const element = content === "" ? "<d:prop/>" : `<d:prop>${content}</d:prop>`
    return `<d:propstat>${element}<d:status>HTTP/1.1 ${status}</d:status></d:propstat>`
  })
  return `<d:response><d:href>${encodePath(href)}</d:href>${stats.join("")}</d:response>`
}

function propertyXml(property: PropertyName, value: Xml | undefined): string {
  const end = property.indexOf("}")
  const space = property.slice(1, end)
  const name = property.slice(end + 1)
  const prefix = spaces[space] ?? "x1"
  const declaration = spaces[space] === undefined ? xml` xmlns:x1="${space}"`.xml : ""
  if (value === undefined) return `<${prefix}:${name}${declaration}/>`
  return `<${prefix}:${name}${declaration}>${value.xml}</${prefix}:${name}>`
}
