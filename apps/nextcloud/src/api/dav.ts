// WebDAV: paths of files and collections, PROPFIND and REPORT requests, and multistatus responses.

import type { Element, Xml } from "../xml.ts"
import { childOf, childrenOf, dav, parseXml, textOf, toDocument } from "../xml.ts"
import type { NextcloudError } from "./error.ts"
import { nextcloudError } from "./error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "./nextcloud.ts"

/** One response of a multistatus. */
export interface DavItem {
  /** The href as the server sent it: encoded, from the root of the host. */
  readonly href: string
  /** The status of the resource itself, where the server sent one (a search that failed, a limit that was reached). */
  readonly status?: number
  /** The properties that the resource has. */
  readonly props: Element
}

const root = "/remote.php/dav"

/** The WebDAV path of a file. Each segment is encoded; “..” is refused. */
export function filesPath(userId: string, path: string): string {
  return `${root}/files/${encodeURIComponent(userId)}${encodePath(path)}`
}

/** Encodes each segment of a path. “/a/b c” and “a/b c/” give the same result. */
export function encodePath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.includes(".."))
    throw nextcloudError("invalid", { activity: "finding the path", because: "“..” is not allowed in a path" })
  if (/\p{Cc}|\p{Cs}/u.test(path))
    throw nextcloudError("invalid", {
      activity: "finding the path",
      because: "the path contains characters that a name cannot contain",
    })
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("")
}

/** Whether a failed write may mean that the collection is read-only: servers then answer 404, 403 or 500. */
export const maybeReadOnly = ({ kind }: NextcloudError): boolean =>
  kind === "not_found" || kind === "forbidden" || kind === "failed"

export async function propfind(
  nextcloud: Nextcloud,
  request: Pick<NcRequest, "path" | "activity" | "accept" | "signal" | "headers"> & {
    /** The wanted properties as empty elements: xml`<d:getetag/><oc:fileid/>`. */
    readonly props: Xml
    readonly depth?: 0 | 1
  },
): Promise<readonly DavItem[]> {
  const { props, depth = 0, ...otherFields } = request
  const body = toDocument("d:propfind", { xml: `<d:prop>${props.xml}</d:prop>` })
  return multistatus(
    await davSend(nextcloud, { ...otherFields, method: "PROPFIND", body, depth }),
    otherFields.activity,
  )
}

export async function davSend(
  nextcloud: Nextcloud,
  { depth, ...request }: NcRequest & { readonly depth?: 0 | 1 | "infinity" },
): Promise<NcAnswer> {
  const contentTypeHeader = typeof request.body === "string" ? { "content-type": "application/xml; charset=utf-8" } : {}
  const depthHeader = depth === undefined ? {} : { depth: String(depth) }
  return nextcloud.send({
    maxBytes: maxMultistatusBytes,
    ...request,
    headers: { ...contentTypeHeader, ...depthHeader, ...request.headers },
  })
}

/** The size limit of a multistatus: a folder may hold tens of thousands of files, at about a thousand bytes each. */
const maxMultistatusBytes = 64 * 1_024 * 1_024

export function multistatus(answer: NcAnswer, activity: string): readonly DavItem[] {
  const document = readXml(answer, activity)
  if (document.name !== "multistatus") throw nextcloudError("malformed", { activity, detail: `<${document.name}>` })
  return childrenOf(document, dav, "response").map((response) => {
    const status = statusIn(textOf(response, dav, "status"))
    const okPropstat = childrenOf(response, dav, "propstat").find(
      (part) => statusIn(textOf(part, dav, "status")) === 200,
    )
    const props = childOf(okPropstat, dav, "prop") ?? emptyProp
    return { href: textOf(response, dav, "href") ?? "", props, ...(status === undefined ? {} : { status }) }
  })
}

export function readXml(answer: NcAnswer, activity: string): Element {
  try {
    return parseXml(answer.text())
  } catch {
    const detail = /html/i.test(answer.headers.get("content-type") ?? "") ? "a web page" : "invalid XML"
    throw nextcloudError("malformed", { activity, status: answer.status, detail })
  }
}

const emptyProp: Element = { space: dav, name: "prop", attributes: {}, children: [], text: "" }

const statusIn = (line: string | undefined): number | undefined =>
  line === undefined ? undefined : Number(/ (\d{3})/.exec(line)?.[1])

/** The message in a WebDAV error document. */
export function davMessage(body: string): string | undefined {
  try {
    const error = parseXml(body)
    return error.children.find(({ name }) => name === "message")?.text.trim() || undefined
  } catch {
    return undefined
  }
}
