// Responses of calendars and address books: properties of several resources at once, and errors with a real server's
// messages.

import type { Call, Reply } from "../area.ts"
import { type DavErrorOptions, davError, emptyReply, xmlType } from "../replies.ts"
import { apple, caldav, calendarServer, carddav, dav, type Element, nc, oc, sabre, type Xml, xml } from "../xml.ts"

/** A property's name with its namespace: `{DAV:}displayname`. */
export type PropertyName = `{${string}}${string}`

/** The properties of a resource by name. Properties that the resource lacks are absent. */
export type Properties = Readonly<Partial<Record<PropertyName, Xml>>>

/** One resource in a PROPFIND response. */
export interface Resource {
  /** Below the WebDAV root, not encoded: `calendars/alice/work/`. */
  readonly path: string
  readonly properties: Properties
  /** The properties returned when the client names none. */
  readonly defaultProperties: readonly PropertyName[]
}

/** Not `nc`: the older namespace that calendars still use. */
export const nextcloudCom = "http://nextcloud.com/ns"

const prefixOf: Readonly<Record<string, string>> = {
  [dav]: "d",
  [sabre]: "s",
  [caldav]: "cal",
  [calendarServer]: "cs",
  [carddav]: "card",
  [oc]: "oc",
  [nc]: "nc",
  [apple]: "x1",
}

const namespaceDeclarations = Object.entries(prefixOf)
  .map(([space, prefix]) => ` xmlns:${prefix}="${space}"`)
  .join("")

export function multistatus(responses: readonly Xml[], headers: Readonly<Record<string, string>> = {}): Reply {
  const body = `<?xml version="1.0"?>\n<d:multistatus${namespaceDeclarations}>${responses.map((one) => one.xml).join("")}</d:multistatus>\n`
  return { status: 207, headers: { ...xmlType, ...headers }, body }
}

/** The requested properties of a resource, separated from those that it lacks. */
export function answerFor(call: Call, resource: Resource, requestedNames: readonly PropertyName[] | undefined): Xml {
  const names = requestedNames ?? resource.defaultProperties
  const available = names.filter((name) => resource.properties[name] !== undefined)
  const missingNames =
    requestedNames === undefined ? [] : names.filter((name) => resource.properties[name] === undefined)
  const stats = [
    propstat(
      "200 OK",
      available.map((name) => element(name, resource.properties[name])),
    ),
    ...(missingNames.length > 0
      ? [
          propstat(
            "404 Not Found",
            missingNames.map((name) => element(name)),
          ),
        ]
      : []),
  ]
  return xml`<d:response><d:href>${hrefOf(call, resource.path)}</d:href>${available.length > 0 ? stats : stats.slice(-1)}</d:response>`
}

export function propstat(status: string, properties: readonly Xml[]): Xml {
  return xml`<d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 ${status}</d:status></d:propstat>`
}

export function element(name: PropertyName, content?: Xml): Xml {
  const [, space = "", local = ""] = /^\{(.*)\}(.*)$/.exec(name) ?? []
  const prefix = prefixOf[space]
  const tagName = prefix === undefined ? xml`x2:${local} xmlns:x2="${space}"` : xml`${prefix}:${local}`
  if (content === undefined || content.xml === "") return xml`<${tagName}/>`
  return xml`<${tagName}>${content}</${xml`${prefix ?? "x2"}:${local}`}>`
}

export function nameOf({ space, name }: Element): PropertyName {
  return `{${space}}${name}`
}

/** The address of a WebDAV path, encoded as the server does: lower-case hex, some characters unencoded. */
export function hrefOf(call: Call, path: string): string {
  return `${new URL(call.url).pathname.replace(/\/$/, "")}/remote.php/dav/${encodePath(path)}`
}

export function encodePath(path: string): string {
  return [...new TextEncoder().encode(path)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[\w.~()/:@-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`
    })
    .join("")
}

export function hrefXml(call: Call, path: string): Xml {
  return xml`<d:href>${hrefOf(call, path)}</d:href>`
}

export function privileges(names: readonly string[]): Xml {
  return { xml: names.map((name) => `<d:privilege><${name}/></d:privilege>`).join("") }
}

export const success = (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  emptyReply(status, headers)

export const failure = (status: number, name: string, message: string, replyOptions: DavErrorOptions = {}): Reply =>
  davError(status, name.includes("\\") ? name : `Sabre\\DAV\\Exception\\${name}`, message, replyOptions)

export const notFound = (message: string): Reply => failure(404, "NotFound", message)

export const noNode = (name: string): Reply => notFound(`Node with name '${name}' could not be found`)

export const badRequest = (message: string): Reply => failure(400, "BadRequest", message)

export const unsupported = (message: string): Reply => failure(415, "UnsupportedMediaType", message)

export const notAllowed = (message: string): Reply =>
  failure(405, "MethodNotAllowed", message, { headers: { allow: allowed } })

export const notImplemented = (): Reply => failure(501, "NotImplemented", "")

export const unknownReport = (): Reply => failure(415, "ReportNotSupported", "", { xml: "  <d:supported-report/>\n" })

export const allowed = "OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT, LOCK, UNLOCK"

export function options(davHeader: string): Reply {
  return emptyReply(200, { allow: allowed, dav: davHeader, "ms-author-via": "DAV", "accept-ranges": "bytes" })
}
