// Responses in Nextcloud's formats: JSON, pages, OCS in JSON and XML, WebDAV errors.

import type { Call, Reply } from "./area.ts"
import { escapeXml } from "./xml.ts"

export type HeaderSet = Readonly<Record<string, string>>

export const noStore = { "cache-control": "no-cache, no-store, must-revalidate" }
export const jsonType = { "content-type": "application/json; charset=utf-8" }
export const htmlType = { "content-type": "text/html; charset=UTF-8" }
export const xmlType = { "content-type": "application/xml; charset=utf-8" }

export const json = (status: number, value: unknown, headers: HeaderSet = {}): Reply => ({
  status,
  headers: { ...noStore, ...jsonType, ...headers },
  body: JSON.stringify(value),
})

/** A reply without a body, as for 304 or a missing method. */
export const emptyReply = (status: number, headers: HeaderSet = {}): Reply => ({
  status,
  headers: { ...htmlType, ...headers },
})

export const redirect = (location: string): Reply => ({ status: 303, headers: { ...noStore, ...htmlType, location } })

export const csrfFailed = (): Reply => json(412, { message: "CSRF check failed" })

export const notLoggedIn = (): Reply => json(401, { message: "Current user is not logged in" })

/** An OCS success: code 100 in version 1, 200 in version 2. */
export function ocs(call: Call, data: unknown, headers: HeaderSet = {}): Reply {
  const meta = { status: "ok", statuscode: isVersion1(call) ? 100 : 200, message: "OK" }
  return envelope(call, 200, { meta, data, headers })
}

export interface OcsFailure {
  /** The code in the envelope, when it differs from the status. */
  readonly code?: number
  readonly data?: unknown
  readonly headers?: HeaderSet
}

/** An OCS failure: version 1 has the HTTP status 200, except for 401, 429 and 5xx. */
export function ocsFailure(call: Call, status: number, message: string, options: OcsFailure = {}): Reply {
  const { code = status, data = [], headers = {} } = options
  const httpStatus = isVersion1(call) && status !== 401 && status < 500 && status !== 429 ? 200 : status
  return envelope(call, httpStatus, { meta: { status: "failure", statuscode: code, message }, data, headers })
}

const syntax =
  "Invalid query, please check the syntax. API specifications are here: http://www.freedesktop.org/wiki/Specifications/open-collaboration-services.\n"

export const unknownRoute = (call: Call): Reply => ocsFailure(call, 404, syntax, { code: 998 })

/** The path of an OCS call without its version: `/cloud/user`. Undefined for other calls. */
export const ocsPath = ({ path }: Call): string | undefined => /^\/ocs\/v[12]\.php(\/.*)$/.exec(path)?.[1]

const isVersion1 = ({ path }: Call): boolean => path.startsWith("/ocs/v1.php/")

interface Envelope {
  readonly meta: Readonly<Record<string, unknown>>
  readonly data: unknown
  readonly headers: HeaderSet
}

function envelope(call: Call, status: number, { meta, data, headers }: Envelope): Reply {
  const paging = isVersion1(call) ? { totalitems: "", itemsperpage: "" } : {}
  const answer = { meta: { ...meta, ...paging }, data }
  if (wantsJson(call)) return json(status, { ocs: answer }, headers)
  const body = `<?xml version="1.0"?>\n<ocs>\n${toOcsXml(answer, " ")}</ocs>\n`
  return { status, headers: { ...noStore, ...xmlType, ...headers }, body }
}

export function wantsJson({ query, headers }: Call): boolean {
  const format = query.get("format")
  return format === null ? (headers.get("accept") ?? "").includes("application/json") : format === "json"
}

/** OCS data as XML: list items are `element`, null is an empty element, true is 1. */
function toOcsXml(value: object, indent: string): string {
  return Object.entries(value)
    .map(([key, one]) => {
      const name = Array.isArray(value) ? "element" : key
      if (one === null || one === false) return `${indent}<${name}${one === null ? "/>" : `></${name}>`}\n`
      if (typeof one !== "object") return `${indent}<${name}>${escapeXml(one === true ? "1" : String(one))}</${name}>\n`
      if (Object.keys(one).length === 0) return `${indent}<${name}/>\n`
      return `${indent}<${name}>\n${toOcsXml(one, `${indent} `)}${indent}</${name}>\n`
    })
    .join("")
}

/** A WebDAV error with the PHP class name (`Sabre\DAV\Exception\NotFound`), a message, and the XML of `options.xml`. */
export function davError(status: number, exception: string, message: string, options: DavErrorOptions = {}): Reply {
  const text = message === "" ? "<s:message/>" : `<s:message>${escapeXml(message)}</s:message>`
  const innerXml = `  <s:exception>${escapeXml(exception)}</s:exception>\n  ${text}\n${options.xml ?? ""}`
  const body = `<?xml version="1.0" encoding="utf-8"?>
<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"${options.spaces ?? ""}>
${innerXml}</d:error>
`
  return { status, headers: { ...xmlType, ...options.headers }, body }
}

export interface DavErrorOptions {
  readonly xml?: string
  readonly spaces?: string
  readonly headers?: HeaderSet
}
